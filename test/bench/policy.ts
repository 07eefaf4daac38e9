import { type DecideInput, decide } from '../../src/policy/decide/decide.ts';
import {
  ANA,
  asking,
  channelOf,
  EVE,
  inChannel,
  SCRATCH,
  service,
  settingsOf,
} from '../unit/policy/policy-fixtures.ts';
import type { Line } from './figures.ts';

/** 1,000 rules in one channel, all about the action that is asked: the worst case. */
const ONE = settingsOf([
  channelOf(
    'ops',
    Array.from({ length: 1_000 }, (_, index) => ({
      actions: ['service.stop'],
      services: index === 999 ? ['scratch'] : ['analytics'],
      who: [index % 2 === 0 ? 'leads' : 'operators'],
      deny: index % 10 === 0,
    })),
  ),
]);
/** 1,000 rules over 50 channels, as a large team has them. */
const MANY = settingsOf(
  Array.from({ length: 50 }, (_, channel) =>
    channelOf(
      `c${channel}`,
      Array.from({ length: 20 }, (_item, index) => ({
        actions: [index < 4 ? 'service.*' : 'cost.read'],
        services: ['tag:dev'],
        who: ['operators'],
      })),
    ),
  ),
);
const question = asking('service.stop', service(SCRATCH));

const CASES: Readonly<Record<string, DecideInput>> = {
  'allowed, rules over 50 channels': {
    ...{ settings: MANY, actor: ANA, place: inChannel('c7'), question },
  },
  'refused with a hint, over 50 channels': {
    ...{ settings: MANY, actor: ANA, place: inChannel('random'), question },
  },
  'refused without a hint, over 50 channels': {
    ...{ settings: MANY, actor: EVE, place: inChannel('random'), question },
  },
  'allowed, rules all in one channel': {
    ...{ settings: ONE, actor: ANA, place: inChannel('ops'), question },
  },
  'refused, rules all in one channel': {
    ...{ settings: ONE, actor: EVE, place: inChannel('ops'), question },
  },
};

/** Decisions with a `steward.yaml` of 1,000 rules; each case for so long. */
export function measurePolicy(forMs: number): readonly Line[] {
  return Object.entries(CASES).map(([what, input]) => {
    // The first ones compile the rules and the code.
    decideFor(input, forMs / 4);
    const value = decideFor(input, forMs);
    return { part: 'policy, 1,000 rules', what, value, unit: '/s' };
  });
}

function decideFor(input: DecideInput, forMs: number): number {
  const since = performance.now();
  let decided = 0;
  let tookMs = 0;
  while (tookMs < forMs) {
    for (let at = 0; at < 50; at += 1) decide(input);
    decided += 50;
    tookMs = performance.now() - since;
  }
  return (decided * 1_000) / tookMs;
}
