import { DateTime } from 'luxon';
import { isListed, ownOf } from '../cloud/reads.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { type Call, requireService, uuidParam } from '../resources/call.ts';
import type { Pipe } from '../state/model.ts';

/** The pipes of a service, as they are now. Spec: ClickHouse spellings */
export function listPipes(call: Call): readonly Json[] {
  const service = requireService(call);
  return ownOf(call, call.world.pipes)
    .filter((pipe) => pipe.serviceId === service.id && isListed(call, pipe))
    .map((pipe) => liveRecord(pipe, call.now));
}

export function readPipe(call: Call): Json {
  const service = requireService(call);
  const pipe = call.world.pipes.get(uuidParam(call.params, 'clickPipeId'));
  if (pipe?.serviceId !== service.id) throw new Refusal('NOT_FOUND', 'no pipe with this id');
  return liveRecord(pipe, call.now);
}

/** Seconds from creation, and the state from then on. */
const STREAM_STATES = [
  [0, 'Provisioning'],
  [60, 'Running'],
] as const;
const DATABASE_STATES = [
  [0, 'Setup'],
  [40, 'Snapshot'],
  [300, 'Running'],
] as const;

function liveRecord(pipe: Pipe, now: DateTime): Json {
  const states = pipe.kind === 'postgres' ? DATABASE_STATES : STREAM_STATES;
  const age = now.diff(DateTime.fromISO(pipe.createdAt)).as('seconds');
  const state = states.findLast(([from]) => from <= age)?.[1];
  return { ...(pipe.record ?? seededRecord(pipe)), state };
}

/** Of a pipe that the seed only bills, what a list needs. */
function seededRecord(pipe: Pipe): Json {
  return {
    id: pipe.id,
    serviceId: pipe.serviceId,
    name: pipe.name,
    createdAt: pipe.createdAt,
    updatedAt: pipe.createdAt,
    source: { [pipe.kind]: {} },
    destination: { database: 'default' },
  };
}
