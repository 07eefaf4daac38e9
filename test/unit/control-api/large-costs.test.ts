import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/cloud/errors.ts';
import { serviceRecord } from '../../support/cost-books.ts';
import { type Fixture, startFixture } from './fixture.ts';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.close());

const RANGE = { from: '2026-11-01', to: '2026-11-26' };
/** Over 8 MB, of which no body may have more. */
const RECORDS = Array.from({ length: 30_000 }, (_, n) =>
  serviceRecord(`service "${n % 1_000}" {}, []`, '2026-11-26', n / 4, { locked: n % 2 === 0 }),
);

describe('an answer about costs that is larger than a body may be', () => {
  it('is read record by record, and says what an answer says', async () => {
    const costs = [...RECORDS, { date: 'never' }];
    const result = { costs, grandTotalCHC: 17 };
    fixture.server.script({ body: { requestId: 'r-1', result, status: 200 } });
    const answer = await fixture.api.usageCost('acme', RANGE);
    expect(answer.requestId).toBe('r-1');
    expect(answer.result.skipped).toBe(1);
    expect(answer.result.grandTotalUnits).toBe(17);
    expect(answer.result.costs).toEqual(RECORDS);
  });

  it('leaves nothing of an attempt that was cut', async () => {
    const body = { result: { costs: RECORDS, grandTotalUnits: 0 } };
    const small = { result: { costs: RECORDS.slice(0, 2), grandTotalUnits: 0 } };
    const never = new Promise<void>(() => undefined);
    fixture.server.script({ body, lastByte: never }, { body: small });
    const answer = fixture.api.usageCost('acme', RANGE);
    await fixture.received(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await fixture.clock.advance(10_000);
    await fixture.afterAttempts(1, 1_000);
    expect((await answer).result.costs).toHaveLength(2);
  });

  it('is a failure where it is no JSON', async () => {
    const text = JSON.stringify({ result: { costs: RECORDS } });
    fixture.server.script({ body: text.slice(0, -1) });
    const failure = await fixture.api.usageCost('acme', RANGE).catch((thrown) => thrown);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: 'malformed' });
  });
});
