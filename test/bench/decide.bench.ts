import { bench, describe } from 'vitest';
import { decide } from '../../src/policy/decide/decide.ts';
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

describe('decide with 1,000 rules (budget: 50 µs)', () => {
  bench('allowed, all in one channel', () => {
    decide({ settings: ONE, actor: ANA, place: inChannel('ops'), question });
  });
  bench('allowed, over 50 channels', () => {
    decide({ settings: MANY, actor: ANA, place: inChannel('c7'), question });
  });
  bench('refused with a hint, over 50 channels', () => {
    decide({ settings: MANY, actor: ANA, place: inChannel('random'), question });
  });
  bench('refused without a hint, over 50 channels', () => {
    decide({ settings: MANY, actor: EVE, place: inChannel('random'), question });
  });
  bench('refused, all in one channel', () => {
    decide({ settings: ONE, actor: EVE, place: inChannel('ops'), question });
  });
});
