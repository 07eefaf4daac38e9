const MEANINGS: Readonly<Record<string, string>> = {
  idle: 'Idle is not stopped: it costs no compute, and a query wakes it.',
  awaking: 'It is waking from idle; queries wait until it runs.',
  degraded: 'It is degraded: a part of it does not answer.',
  partially_running: 'Some of its replicas run, others do not yet.',
  terminating: 'It is being deleted: it comes back no more.',
  terminated: 'It is deleted: it comes back no more.',
  softdeleting: 'It is being deleted: it comes back no more.',
  softdeleted: 'It is deleted.',
};

/** What a state means, where that is no matter of course. Facts: States. */
export function stateMeaning(state: string | undefined): string | undefined {
  return state !== undefined && Object.hasOwn(MEANINGS, state) ? MEANINGS[state] : undefined;
}
