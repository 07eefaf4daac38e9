import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configPath } from '../config/environment.ts';
import type { Variables } from '../config/environment-reader.ts';
import { type Path, problemLine } from '../config/problems.ts';
import { AppError } from '../core/cloud/errors.ts';
import type { Target } from '../core/ports/decision.ts';
import { scheduleOf } from '../core/ports/ports.ts';
import type { Settings } from '../core/settings/settings.ts';
import { plain } from '../core/text/text.ts';
import { nearest } from '../core/text/typed-text.ts';
import { type Explanation, explain } from '../policy/decide/explain.ts';
import { scheduleFacts } from '../policy/identity/identity.ts';
import { type Expectation, type ReadExpectations, readExpectations } from './expectations.ts';
import type { ExitCode, Output } from './output.ts';
import { settingsOf } from './policy-check.ts';
import { channelOf, operationOf, serviceOf } from './policy-names.ts';

/**
 * Holds the rules against what a team expects of them, without Slack: membership is what the test
 * file says and what the rules list by user id. Docs: operating.md, Rules.
 */
export function testPolicy(
  paths: readonly string[],
  file: string | undefined,
  env: Variables,
  output: Output,
): ExitCode {
  const settings = settingsOf(file, env, output);
  if (settings === undefined) return 2;
  const rules = file ?? configPath(env).value ?? '';
  const files = paths.length > 0 ? paths : [join(dirname(rules), 'steward.test.yaml')];
  const codes = files.map((path) => testFile(path, settings, output));
  return codes.includes(2) ? 2 : codes.includes(1) ? 1 : 0;
}

function testFile(path: string, settings: Settings, output: Output): ExitCode {
  const read = readFile(path);
  if ('problems' in read) {
    output.print(`${path} cannot be used:`);
    for (const line of read.problems) output.print(line);
    return 2;
  }
  const asked = [...groupProblems(read, settings)];
  const results = read.file.expect.map((one, index) => {
    try {
      return { one, explained: ask(one, read, settings) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      asked.push(problemLine(read.problemAt(['expect', index], plain(error.userMessage))));
      return undefined;
    }
  });
  if (asked.length > 0) {
    output.print(`${path} cannot be used:`);
    for (const line of asked) output.print(line);
    return 2;
  }
  const told = results.flatMap((result) => (result === undefined ? [] : [lineOf(result)]));
  for (const { line } of told) output.print(line);
  const failed = told.filter(({ ok }) => !ok).length;
  output.print(`${path}: ${told.length - failed} as expected, ${failed} not.`);
  return failed === 0 ? 0 : 1;
}

function readFile(path: string): ReturnType<typeof readExpectations> {
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch {
    return { problems: ['  no file can be read there; give its path, or make steward.test.yaml'] };
  }
  return readExpectations(source, path);
}

function groupProblems({ file, problemAt }: ReadExpectations, settings: Settings): string[] {
  const known = Object.keys(settings.groups);
  const problems: { readonly path: Path; readonly message: string }[] = [];
  for (const [group, members] of Object.entries(file.groups)) {
    if (!known.includes(group)) {
      problems.push({ path: ['groups', group], message: unknown('group', group, known) });
    }
    for (const [index, member] of members.entries()) {
      if (isUser(member) || Object.hasOwn(file.people, member)) continue;
      const message = unknown('person', member, Object.keys(file.people));
      problems.push({ path: ['groups', group, index], message });
    }
  }
  for (const [name, id] of Object.entries(file.people)) {
    if (isUser(id)) continue;
    problems.push({ path: ['people', name], message: 'must be a user id such as U01ANA' });
  }
  return problems.map(({ path, message }) => problemLine(problemAt(path, message)));
}

function ask(one: Expectation, { file }: ReadExpectations, settings: Settings): Explanation {
  const operation = operationOf(one.do);
  const fields = operation.fields.filter(({ required }) => required).map(({ key }) => key);
  if (one.service === undefined && fields.includes('service')) {
    throw new AppError('invalid', { userMessage: `${operation.id} needs a service.` });
  }
  return explain({
    settings,
    actor: actorOf(one.who, file, settings),
    place: { kind: 'channel', channelId: channelOf(one.in, settings).id, shared: false },
    question: {
      action: operation.id,
      risk: operation.risk,
      open: operation.open,
      targets: targetsOf(one, settings, operation.fields),
      attributes: one.with,
    },
  });
}

/** What acts on no service is asked about its organization: a rule for single services is none for it. */
function targetsOf(
  { service }: Expectation,
  settings: Settings,
  fields: readonly { readonly key: string }[],
): readonly Target[] | undefined {
  if (service !== undefined) return [serviceOf(service, settings)];
  if (!fields.some(({ key }) => key === 'organization' || key === 'id')) return undefined;
  const key = settings.organizations[0]?.key ?? '';
  return [{ kind: 'organization', id: key, name: key, organization: key, tags: [] }];
}

type ActorFacts = Parameters<typeof explain>[0]['actor'];

function actorOf(
  who: string,
  { people, groups }: ReadExpectations['file'],
  settings: Settings,
): ActorFacts {
  const none = { groups: new Set<string>(), unknownGroups: new Set<string>() };
  if (who === 'guest' || who === 'external') return { userId: '', standing: who, ...none };
  if (who === 'anyone') return { userId: '', standing: 'member', ...none };
  const known = Object.keys(settings.groups);
  if (known.includes(who)) {
    return { userId: '', standing: 'member', ...none, groups: new Set([who]) };
  }
  const actor = { userId: who, teamId: '' };
  const name = scheduleOf(actor);
  if (name !== undefined && settings.schedules.some((one) => one.name === name)) {
    return scheduleFacts(actor);
  }
  const userId = people[who] ?? who;
  if (!isUser(userId)) {
    const names = [...Object.keys(people), ...known, 'anyone', 'guest', 'external'];
    throw new AppError('invalid', { userMessage: unknown('person or group', who, names) });
  }
  const within = known.filter(
    (group) =>
      settings.groups[group]?.users.includes(userId) === true ||
      groups[group]?.some((member) => (people[member] ?? member) === userId) === true,
  );
  return { userId, standing: 'member', ...none, groups: new Set(within) };
}

function isUser(id: string): boolean {
  return /^[UW][A-Z0-9]{2,}$/u.test(id);
}

function unknown(kind: string, typed: string, names: readonly string[]): string {
  const near = nearest(typed, names);
  const hint = near === undefined ? `There is: ${names.join(', ')}.` : `Did you mean ${near}?`;
  return `There is no ${kind} ${typed}. ${hint}`;
}

type Told = { readonly ok: boolean; readonly line: string };

function lineOf({
  one,
  explained,
}: {
  readonly one: Expectation;
  readonly explained: Explanation;
}): Told {
  const { decision, decidedBy } = explained;
  const approvers = decision.allowed ? decision.approval?.by : undefined;
  const is = !decision.allowed ? 'refused' : approvers === undefined ? 'allowed' : 'approval';
  const reason = decision.allowed ? '' : plain(decision.reason);
  const ok = is === one.is && sameNames(one.by, approvers) && reason.includes(one.because ?? '');
  const what = [one.who, one.do, one.service, 'in', one.in].filter((part) => part !== undefined);
  const expected = [one.is, ...(one.by === undefined ? [] : ['by', one.by.join(' or ')])].join(' ');
  if (ok) return { ok, line: `ok      ${what.join(' ')}: ${expected}` };
  const found = [is, ...(approvers === undefined ? [] : ['by', approvers.join(' or ')])].join(' ');
  const why = reason === '' ? '' : ` (${reason})`;
  const wanted = one.because === undefined ? expected : `${expected} because "${one.because}"`;
  const rule = decidedBy.join(', ') || 'no rule';
  return {
    ok,
    line: `FAILED  ${what.join(' ')}: expected ${wanted}, is ${found}${why}. Decided by: ${rule}.`,
  };
}

function sameNames(
  wanted: readonly string[] | undefined,
  found: readonly string[] | undefined,
): boolean {
  return wanted === undefined || [...wanted].sort().join() === [...(found ?? [])].sort().join();
}
