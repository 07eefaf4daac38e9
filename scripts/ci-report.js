// What `.ci/run` says of its test runs, from vitest's JSON reports.
//   node scripts/ci-report.js failed-files REPORT   the files with a failure, one in each line
//   node scripts/ci-report.js sum REPORT ...        what failed by name, then "N passed, N failed"
// Beside REPORT, REPORT-again tells of its failed files run once more by themselves. What passed only
// there is named: it depends on luck, and wants to be mended.
import { existsSync, readFileSync } from 'node:fs';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const failedFiles = ({ testResults }) => testResults.filter(({ status }) => status === 'failed');

function failures(report) {
  return failedFiles(report).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return [`${name}: ${message.split('\n')[0]}`];
    return failed.map(
      (test) => `${name}: ${test.fullName}: ${test.failureMessages[0]?.split('\n')[0]}`,
    );
  });
}

function count(file) {
  if (!existsSync(file)) {
    console.log(`failed: there is no report ${file}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const report = read(file);
  const first = failures(report);
  const again = existsSync(`${file}-again`) ? failures(read(`${file}-again`)) : first;
  for (const line of first) console.log(`failed: ${line}`);
  if (again !== first) {
    for (const line of again) console.log(`failed again by itself: ${line}`);
    if (again.length === 0) console.log('passed when run again by itself: it depends on luck');
  }
  return {
    passed: report.numPassedTests + Math.max(0, first.length - again.length),
    failed: again.length,
    skipped: report.numPendingTests,
  };
}

const [command, ...files] = process.argv.slice(2);
if (command === 'failed-files') {
  for (const { name } of failedFiles(read(files[0]))) console.log(name);
} else {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const counted of files.map(count))
    for (const key of Object.keys(sum)) sum[key] += counted[key];
  console.log(
    `${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}`,
  );
}
