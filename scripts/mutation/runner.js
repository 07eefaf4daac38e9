// Stryker's runner for our unit tests. It answers what `@stryker-mutator/vitest-runner` answers, but
// loads the tests once and keeps them between faults: `worker.js` runs them. docs/mutation.md
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  commonTokens,
  declareFactoryPlugin,
  PluginKind,
  tokens,
} from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import { createVitest } from 'vitest/node';

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));

class LoadedTests {
  #options;
  #vitest;
  #channel;
  #running;
  #waiting = new Map();

  constructor(options) {
    this.#options = options;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun() {
    await this.#load();
    const { tests, coverage } = await this.#ask({ ask: 'dry' });
    return {
      status: DryRunStatus.Complete,
      mutantCoverage: coverage,
      tests: tests.map((test) => ({
        id: test.id,
        name: test.name,
        fileName: test.file,
        timeSpentMs: test.ms,
        status: test.error === undefined ? TestStatus.Success : TestStatus.Failed,
        failureMessage: test.error,
      })),
    };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const question = { ask: 'mutant', mutant: activeMutant.id, tests: testFilter, hitLimit };
    // A process that takes the place of one that hung has nothing loaded yet.
    if (this.#vitest === undefined) await this.#load();
    let answer = await this.#ask(question);
    if (answer.spoilt) {
      await this.dispose();
      await this.#load();
      answer = await this.#ask(question);
    }
    const nrOfTests = answer.tests.length;
    if (hitLimit !== undefined && answer.hits > hitLimit) {
      const reason = `Hit limit reached (${answer.hits}/${hitLimit})`;
      return { status: MutantRunStatus.Timeout, reason };
    }
    if (answer.killer === undefined) return { status: MutantRunStatus.Survived, nrOfTests };
    return {
      status: MutantRunStatus.Killed,
      killedBy: [answer.killer.id],
      failureMessage: answer.killer.error,
      nrOfTests,
    };
  }

  async dispose() {
    this.#channel?.postMessage({ ask: 'stop' });
    await this.#running;
    this.#channel?.close();
    await this.#vitest?.close();
    this.#vitest = undefined;
    this.#channel = undefined;
  }

  async #load() {
    const { testFiles, vitest } = this.#options;
    this.#vitest = await createVitest('test', {
      config: vitest.configFile,
      ...(testFiles?.length > 0 && { include: testFiles }),
      watch: false,
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      runner: WORKER,
      reporters: [{}],
      // The worker has limits of its own, by what each test usually takes.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      coverage: { enabled: false },
      onConsoleLog: () => false,
    });
    const specifications = await this.#vitest.globTestSpecifications();
    const channel = randomUUID();
    this.#vitest.provide('mutationFiles', specifications.length);
    this.#vitest.provide('mutationChannel', channel);
    this.#channel = new BroadcastChannel(channel);
    const ready = new Promise((isReady) => {
      this.#channel.onmessage = ({ data }) => {
        if (data.ready) isReady();
        else this.#waiting.get(data.to)?.(data.answer);
      };
    });
    this.#running = this.#vitest.runTestSpecifications(specifications, true);
    const ended = this.#running.then(({ testModules }) => {
      const faults = testModules.flatMap((module) => module.errors().map(({ message }) => message));
      throw new Error(`The tests ended before they were loaded. ${faults.join(' ')}`);
    });
    await Promise.race([ready, ended]);
    ended.catch(() => undefined);
  }

  #ask(question) {
    const id = randomUUID();
    return new Promise((answered) => {
      this.#waiting.set(id, (answer) => {
        this.#waiting.delete(id);
        answered(answer);
      });
      this.#channel.postMessage({ ...question, id });
    });
  }
}

function createLoadedTests(options) {
  return new LoadedTests(options);
}
createLoadedTests.inject = tokens(commonTokens.options);

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'loaded', createLoadedTests),
];
