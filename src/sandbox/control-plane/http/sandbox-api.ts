import { z } from 'zod';
import { costPlan } from '../billing/scenario.ts';
import { consoleAct } from '../console/acts.ts';
import { faultRequest } from '../faults.ts';
import type { ControlPlaneParts } from '../plane.ts';
import { settingsChange } from '../settings.ts';
import { jsonReply, type Reply, unroutedReply } from './reply.ts';

const clockChange = z.union([
  z.strictObject({ advance: z.string() }),
  z.strictObject({ set: z.string() }),
]);

type Action = (plane: ControlPlaneParts, body: unknown) => unknown;

/** What a person or another process may do to the stand-in; not part of the API that it stands for. */
const ACTIONS: Readonly<Record<string, Action>> = {
  'GET /sandbox/state': (plane) => plane.state(),
  'GET /sandbox/requests': (plane) => plane.requests(),
  'GET /sandbox/faults': (plane) => plane.faults.list(),
  'POST /sandbox/faults': (plane, body) => plane.faults.add(faultRequest.parse(body)),
  'DELETE /sandbox/faults': (plane) => {
    plane.faults.clear();
    return {};
  },
  'POST /sandbox/clock': (plane, body) => {
    const change = clockChange.parse(body);
    const clock = plane.settableClock();
    const now = 'advance' in change ? clock.advance(change.advance) : clock.set(change.set);
    return { now: now.toISO() };
  },
  'POST /sandbox/costs': (plane, body) => {
    plane.planCosts(costPlan.parse(body));
    return {};
  },
  'POST /sandbox/console': (plane, body) => plane.console(consoleAct.parse(body)),
  'GET /sandbox/settings': (plane) => plane.settings(),
  'POST /sandbox/settings': (plane, body) => plane.changeSettings(settingsChange.parse(body)),
  'POST /sandbox/reset': (plane) => {
    plane.reset();
    return {};
  },
};

/** Answers a request to `/sandbox/…`; a 400 `{error}` names what does not fit. */
export function answerSandbox(
  request: { readonly method: string; readonly path: string; readonly body: string | undefined },
  plane: ControlPlaneParts,
): Reply {
  const action = ACTIONS[`${request.method} ${request.path}`];
  if (action === undefined) return unroutedReply();
  try {
    const body: unknown = request.body === '' ? {} : JSON.parse(request.body ?? '');
    return jsonReply(200, action(plane, body));
  } catch (error) {
    return jsonReply(400, { error: wordsOf(error) });
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : 'The request could not be carried out.';
}
