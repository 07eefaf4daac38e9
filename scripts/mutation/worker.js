// The tests of a mutation run, in the thread that vitest starts: every test file is loaded once, and
// then each fault runs the tests that reach it, with their hooks, in the modules that are there already.
import { relative } from 'node:path';
import { inject, TestRunner } from 'vitest';

/** Random cases by the hundred and bodies of 8 MB: what takes more CPU than this runs for no fault. */
const SLOW_MS = 600;

/** What no test has seen by then, the quickest first, counts as seen by none. */
const PATIENCE_MS = 4000;

globalThis.__stryker__ ??= {};
const stryker = globalThis.__stryker__;
const hooksOf = TestRunner.getSuiteHooks;
const files = [];
/** How each task was meant to run. */
const modes = new Map();
const ids = new Map();
/** How long each test takes without a fault, in ms. */
const usual = new Map();

// biome-ignore lint/style/noDefaultExport: vitest takes the default export of a runner.
export default class MutationRunner extends TestRunner {
  /** The one test that vitest runs itself: all that is asked for runs in its place. */
  #host;

  onCollected(collected) {
    super.onCollected?.(collected);
    for (const file of collected) {
      files.push(file);
      skipForNow(file);
    }
    if (files.length === inject('mutationFiles')) this.#host = hostIn(files.at(-1));
  }

  async runTask() {
    for (const { filepath } of files) {
      await this.snapshotClient.setup(filepath, this.workerState.config.snapshotOptions);
    }
    const channel = new BroadcastChannel(inject('mutationChannel'));
    await new Promise((stop) => {
      channel.onmessage = async ({ data }) => {
        if (data.ask === 'stop') stop();
        else channel.postMessage({ to: data.id, answer: await this.#answer(data) });
      };
      channel.postMessage({ ready: true });
    });
    channel.close();
  }

  async #answer({ ask, mutant, tests, hitLimit }) {
    if (ask === 'dry') return await this.#dry();
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    stryker.hitLimit = hitLimit;
    const results = await this.#run(new Set(tests), mutant);
    const hits = stryker.hitCount;
    stryker.hitCount = undefined;
    const killer = results.find(isFailure);
    if (killer === undefined) return { hits, tests: results };
    // What a fault has left behind must not count for the next one.
    const again = await this.#run(new Set([killer.id]));
    return { hits, tests: results, killer, spoilt: again.some(isFailure) };
  }

  async #dry() {
    const broken = files.filter(({ result }) => result?.state === 'fail').map(notLoaded);
    const tests = (await this.#run()).filter(({ cpuMs }) => cpuMs < SLOW_MS);
    const coverage = stryker.mutantCoverage;
    const ids = new Set(tests.map(({ id }) => id));
    for (const id of Object.keys(coverage.perTest)) if (!ids.has(id)) delete coverage.perTest[id];
    return { tests: [...broken, ...tests], coverage };
  }

  /** All tests, or those that are wanted up to the first that fails. */
  async #run(wanted, mutant) {
    const run = { wanted, mutant, results: [], until: performance.now() + PATIENCE_MS };
    for (const file of quickestFirst(files, wanted)) await this.#suite(file, run);
    stryker.activeMutant = undefined;
    return run.results;
  }

  async #suite(suite, run) {
    const tasks = suite.tasks.filter((task) => reaches(task, run.wanted));
    if (tasks.length === 0 || isDecided(run)) return;
    const { beforeAll, afterAll } = hooksOf(suite);
    const cleanups = [];
    stryker.activeMutant = run.mutant;
    const broken = await caught(async () => {
      for (const hook of beforeAll) cleanups.push(await hook(suite));
    });
    for (const task of quickestFirst(tasks, run.wanted)) {
      if (isDecided(run)) break;
      if (task.type === 'suite') await this.#suite(task, run);
      else run.results.push(await this.#test(task, run, broken));
    }
    const error = await caught(async () => {
      for (const hook of reversed(afterAll)) await hook(suite);
      await cleanUp(cleanups);
    });
    const last = run.results.at(-1);
    if (last !== undefined) last.error ??= error;
  }

  async #test(test, run, broken) {
    const id = idOf(test);
    const isDry = run.wanted === undefined;
    if (isDry) stryker.currentTestId = id;
    const started = performance.now();
    const spent = process.cpuUsage();
    const error = broken ?? (await this.#body(test, id));
    const { user, system } = process.cpuUsage(spent);
    const ms = performance.now() - started;
    stryker.currentTestId = undefined;
    if (isDry) usual.set(id, ms);
    return {
      id,
      name: nameOf(test),
      file: test.file.filepath,
      ms,
      cpuMs: (user + system) / 1000,
      error,
    };
  }

  /** As vitest runs a test once; what went wrong in it, in words. */
  async #body(test, id) {
    const suites = suitesOf(test);
    const cleanups = [];
    test.result = { state: 'run', startTime: 0, retryCount: 0 };
    const error = await caught(async () => {
      await this.onBeforeRunTask(test);
      await this.onBeforeTryTask(test);
      for (const suite of suites) {
        for (const hook of hooksOf(suite).beforeEach)
          cleanups.push(await hook(test.context, suite));
      }
      await soon(TestRunner.getTestFn(test)(), 1000 + 5 * (usual.get(id) ?? 12_000));
      await this.onAfterTryTask(test);
    });
    const finished = [...(test.onFinished ?? []), ...(this.#host.onFinished ?? [])];
    for (const held of [test, this.#host])
      Object.assign(held, { onFinished: undefined, onFailed: undefined });
    const after = await caught(async () => {
      for (const suite of reversed(suites)) {
        for (const hook of reversed(hooksOf(suite).afterEach)) await hook(test.context, suite);
      }
      await cleanUp(cleanups);
      for (const hook of reversed(finished)) await hook(test.context);
    });
    return error ?? after;
  }
}

function notLoaded({ name, filepath, result }) {
  const error = result.errors?.[0]?.message ?? 'It could not be loaded.';
  return { id: name, name, file: filepath, ms: 0, cpuMs: 0, error };
}

function isFailure({ error }) {
  return error !== undefined;
}

function isDecided({ wanted, results, until }) {
  if (wanted === undefined) return false;
  return results.some(isFailure) || (results.length > 0 && performance.now() > until);
}

/** Nothing runs while it is collected. */
function skipForNow(task) {
  modes.set(task, task.mode);
  for (const inner of task.tasks ?? []) skipForNow(inner);
  task.mode = 'skip';
}

function hostIn(task) {
  task.mode = 'run';
  return task.type === 'test' ? task : hostIn(task.tasks.find((inner) => reaches(inner)));
}

function reaches(task, wanted) {
  const mode = modes.get(task);
  if (mode === 'skip' || mode === 'todo') return false;
  if (task.type === 'suite') return task.tasks.some((inner) => reaches(inner, wanted));
  return wanted === undefined || wanted.has(idOf(task));
}

/** A fault that a quick test sees needs no slow one. */
function quickestFirst(tasks, wanted) {
  if (wanted === undefined) return tasks;
  const costs = new Map(tasks.map((task) => [task, costOf(task, wanted)]));
  return [...tasks].sort((one, other) => costs.get(one) - costs.get(other));
}

/** In ms, of the tests that are wanted. */
function costOf(task, wanted) {
  if (!reaches(task, wanted)) return 0;
  if (task.type === 'test') return usual.get(idOf(task)) ?? 0;
  return task.tasks.reduce((sum, inner) => sum + costOf(inner, wanted), 0);
}

/** From the file to the suite that holds it. */
function suitesOf(task) {
  const above = 'filepath' in task ? undefined : (task.suite ?? task.file);
  return above === undefined ? [] : [...suitesOf(above), above];
}

/** As Stryker's own runner names a test. */
function nameOf(test) {
  return [...suitesOf(test).slice(1), test].map(({ name }) => name).join(' ');
}

function idOf(test) {
  const id = ids.get(test) ?? `${relative(process.cwd(), test.file.filepath)}#${nameOf(test)}`;
  ids.set(test, id);
  return id;
}

function reversed(list) {
  return [...list].reverse();
}

async function cleanUp(cleanups) {
  for (const cleanup of reversed(cleanups)) if (typeof cleanup === 'function') await cleanup();
}

async function soon(running, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The test ran for more than ${ms} ms.`)), ms);
  });
  await Promise.race([running, late]).finally(() => clearTimeout(timer));
}

async function caught(body) {
  try {
    await body();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error);
  }
}
