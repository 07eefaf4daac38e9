import type { Ports } from '../operation/ports.ts';
import type { Step } from './request.ts';
import { factsOf } from './step.ts';

/**
 * What an operation may use while it executes. The journal says `started` right before the first
 * effect, after the API's limit gave its slot, and durably: where that fails there is no effect. A
 * read has none. Design: §10.
 */
export function effectPorts(step: Step): Ports {
  const { deps, operation, request, entry } = step;
  const { ports } = deps;
  if (operation.risk === 'read') return ports;
  let started: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    started ??= deps.journal.started(entry, factsOf(step));
    return started;
  };
  const { control, digests } = ports;
  const after = async <T>(effect: () => Promise<T>): Promise<T> => {
    await begin();
    return await effect();
  };
  return {
    ...ports,
    control: control.during({ beforeSend: begin, onWait: request.onWait }),
    digests: {
      ...digests,
      start: (...given) => after(() => digests.start(...given)),
      stop: (...given) => after(() => digests.stop(...given)),
      mute: (...given) => after(() => digests.mute(...given)),
    },
  };
}
