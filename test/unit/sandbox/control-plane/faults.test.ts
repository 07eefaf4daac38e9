import { describe, expect, it } from 'vitest';
import { SERVICES } from '../../../../src/sandbox/control-plane/seed.ts';
import { SMALL_SERVICE } from './bodies.ts';
import { ORGANIZATION, type Started, start } from './harness.ts';

const CREATE = `POST ${ORGANIZATION}/services`;
const READ = `GET ${ORGANIZATION}/services/${SERVICES.analytics.id}/serviceQueryEndpoint`;
const SEEDED = 8;

const create = (plane: Started) => plane.ask(CREATE, { body: SMALL_SERVICE });
const made = (plane: Started) => plane.state().services.length - SEEDED;

describe('faults', () => {
  it.each([
    [{ kind: 'status', status: 500 }, 500, 'application/json', 0],
    [{ kind: 'status', status: 429, retryAfter: 3 }, 429, 'application/json', 0],
    [{ kind: 'status', status: 503, perform: true }, 503, 'application/json', 1],
    [{ kind: 'html504' }, 504, 'text/html', 0],
    [{ kind: 'html504', perform: true }, 504, 'text/html', 1],
    [{ kind: 'plain' }, 500, 'text/plain', 0],
    [{ kind: 'plain', status: 403 }, 403, 'text/plain', 0],
    [{ kind: 'malformed' }, 200, 'application/json', 1],
    [{ kind: 'malformed', perform: false }, 200, 'application/json', 0],
    [{ kind: 'empty' }, 200, 'application/json', 1],
    [{ kind: 'slow', delayMs: 30 }, 200, 'application/json', 1],
    [{ kind: 'oversized' }, 200, 'application/json', 1],
  ] as const)('%o', async (fault, status, type, performed) => {
    const plane = await start();
    plane.faults.add(fault);
    const answer = await create(plane);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(answer.headers.get('retry-after')).toBe('retryAfter' in fault ? '3' : null);
    expect(made(plane)).toBe(performed);
    expect(plane.requests()).toMatchObject([{ status, fault: fault.kind }]);
  });

  it('spoil the body in the way that they say', async () => {
    const plane = await start();
    plane.faults.add({ kind: 'malformed', times: 1 });
    plane.faults.add({ kind: 'empty', times: 1 });
    plane.faults.add({ kind: 'oversized', times: 1 });
    plane.faults.add({ kind: 'html504', times: 1 });
    plane.faults.add({ kind: 'status', status: 500, times: 1 });
    const [malformed, empty, oversized, html, status] = [
      await plane.ask(READ),
      await plane.ask(READ),
      await plane.ask(READ),
      await plane.ask(READ),
      await plane.ask(READ),
    ];
    expect(malformed).toMatchObject({
      json: undefined,
      text: expect.stringMatching(/^\{"status":200/),
    });
    expect(empty.text).toBe('');
    expect(oversized.text.length).toBeGreaterThan(8 * 1024 * 1024);
    expect(html.text).toContain('<h1>Gateway Time-out</h1>');
    expect(status.json).toEqual({ status: 500, error: 'SANDBOX_FAULT: this 500 was switched on' });
    expect((await plane.ask(READ)).status).toBe(200);
  });

  it.each([
    ['cut', 0],
    ['cut-after', 1],
  ] as const)('%s loses the reply', async (kind, performed) => {
    const plane = await start();
    plane.faults.add({ kind, times: 1 });
    await expect(create(plane)).rejects.toThrow('fetch failed');
    expect(made(plane)).toBe(performed);
    expect(plane.requests()).toMatchObject([{ fault: kind, body: SMALL_SERVICE }]);
  });

  it('wait as long as they say, and survive a client that leaves', async () => {
    const plane = await start();
    plane.faults.add({ kind: 'slow', delayMs: 60 });
    const begun = performance.now();
    await plane.ask(READ);
    expect(performance.now() - begun).toBeGreaterThan(55);
    const leaving = fetch(`${plane.url}${READ.slice(4)}`, { signal: AbortSignal.timeout(10) });
    await expect(leaving).rejects.toThrow();
    plane.faults.clear();
    expect((await plane.ask(READ)).status).toBe(200);
  });

  it('strike only what they match, as often as they say, the first one first', async () => {
    const plane = await start();
    plane.faults.add({ match: { method: 'post' }, kind: 'status', status: 500 });
    plane.faults.add({
      match: { path: 'serviceQueryEndpoint' },
      kind: 'plain',
      status: 502,
      times: 2,
    });
    plane.faults.add({
      match: { path: 'serviceQueryEndpoint' },
      kind: 'plain',
      status: 503,
      times: 1,
    });
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await plane.ask(READ)).status);
    expect(statuses).toEqual([502, 502, 503, 200]);
    expect((await create(plane)).status).toBe(500);
    expect((await create(plane)).status).toBe(500);
    expect(plane.faults.list()).toHaveLength(1);
    plane.faults.clear();
    expect((await create(plane)).status).toBe(200);
  });
});
