import { type AppError, toAppError } from '../core/cloud/errors.ts';
import type { CallOptions, Clock, Reply } from '../core/ports/ports.ts';
import type { ClosedEye, CloudReads, Eye, Look, Sight, Sights } from '../core/ports/sight.ts';
import type { CurrentSettings } from '../core/settings/settings.ts';

export type SightOptions = {
  readonly cloud: CloudReads;
  readonly settings: CurrentSettings;
  readonly clock: Clock;
};

/** So long nobody looks through an eye that the cloud refused. */
const CLOSED_MINUTES: Readonly<Record<string, number>> = {
  forbidden: 15,
  unauthorized: 1,
  'not-found': 15,
  'rate-limited': 1,
};

const BECAUSE: Readonly<Record<string, string>> = {
  forbidden: 'the key may not (403)',
  unauthorized: 'the key is not accepted (401)',
  'not-found': 'the cloud has no such list (404)',
  'rate-limited': 'too many requests (429)',
};

/** So long nobody waits again for a list that did not come while somebody waited for it. */
const SLOW_MINUTES = 1;
const SLOW = 'the cloud did not answer in time';

/** Through which eye; of a list that belongs to a service, of which. */
type Gaze = Pick<ClosedEye, 'organization' | 'eye' | 'serviceId'>;

function keyOf({ organization, eye, serviceId = '' }: Gaze): string {
  return `${organization} ${eye} ${serviceId}`;
}

/** Which eyes are closed, and until when. */
function createShutters(clock: Clock) {
  const eyes = new Map<string, ClosedEye>();
  const now = (): string => clock.now().toISO();

  function close(gaze: Gaze, minutes: number, why: Pick<ClosedEye, 'because' | 'isRefused'>): void {
    const until = clock.now().plus({ minutes }).toISO();
    eyes.set(keyOf(gaze), { ...gaze, ...why, until });
  }

  return {
    over: ({ organization, eye, serviceId }: Gaze): ClosedEye | undefined =>
      [keyOf({ organization, eye }), keyOf({ organization, eye, serviceId })]
        .map((key) => eyes.get(key))
        .find((closed) => closed !== undefined && closed.until > now()),
    open: (gaze: Gaze): void => void eyes.delete(keyOf(gaze)),
    after: (gaze: Gaze, { code, status }: AppError, call: CallOptions | undefined): void => {
      const { organization, eye } = gaze;
      const minutes = CLOSED_MINUTES[code];
      // Without a status it is our own limit that had no room, or whoever asked would not wait.
      if (status === undefined) {
        if (call?.signal?.aborted === true) {
          close({ organization, eye }, SLOW_MINUTES, { because: SLOW });
        }
      } else if (minutes !== undefined) {
        const why = { because: BECAUSE[code] ?? code, isRefused: isRefusal(code) };
        close(code === 'not-found' ? gaze : { organization, eye }, minutes, why);
      }
    },
    closed: (): readonly ClosedEye[] => [...eyes.values()].filter(({ until }) => until > now()),
  };
}

/**
 * The eyes of the organizations whose cloud has reads: `names: clickhouse`. One that is refused (401,
 * 403, 404, 429), or that whoever asked did not wait for, closes for a while, so that no command waits
 * for it again and again; a list that one service lacks (404) closes for that service alone, and what
 * is missing of one thing (404 of a single service) is an answer and closes nothing. Design: §14.
 */
export function createSights({ cloud, settings, clock }: SightOptions): Sights {
  const shutters = createShutters(clock);

  async function look<T>(
    gaze: Gaze,
    call: CallOptions | undefined,
    read: () => Promise<Reply<T>>,
  ): Promise<Look<T>> {
    const closed = shutters.over(gaze);
    if (closed !== undefined) {
      const { because, isRefused } = closed;
      return { kind: 'unseen', because, isRefused };
    }
    try {
      const { result } = await read();
      shutters.open(gaze);
      return { kind: 'seen', value: result };
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'not-found' && ABOUT_ONE.has(gaze.eye)) return { kind: 'missing' };
      shutters.after(gaze, error, call);
      const isBusy = error.code === 'rate-limited' && error.status === undefined;
      const isRefused = error.status === undefined ? undefined : isRefusal(error.code);
      return { kind: 'unseen', because: wordsOf(error, call), isBusy, isRefused };
    }
  }

  const sightOf = (organization: string): Sight => {
    const list = <T>(eye: Eye, call: CallOptions | undefined, read: () => Promise<Reply<T>>) =>
      look({ organization, eye }, call, read);
    const listOf =
      <T>(eye: Eye, read: (id: string, call?: CallOptions) => Promise<Reply<readonly T[]>>) =>
      (serviceId: string, call?: CallOptions) =>
        look({ organization, eye, serviceId }, call, () => read(serviceId, call));
    return {
      services: (call) => list('services', call, () => cloud.services(organization, call)),
      service: (id, call) => list('service', call, () => cloud.service(organization, id, call)),
      pipe: (ids, call) => list('pipe', call, () => cloud.pipe(organization, ids, call)),
      activities: (span, call) =>
        list('activities', call, () => cloud.activities(organization, span, call)),
      organizations: (call) =>
        list('organizations', call, () => cloud.organizations(organization, call)),
      invitations: (call) => list('invitations', call, () => cloud.invitations(organization, call)),
      pipes: listOf('pipes', (id, call) => cloud.pipes(organization, id, call)),
      backups: listOf('backups', (id, call) => cloud.backups(organization, id, call)),
      dashboards: listOf('dashboards', (id, call) => cloud.dashboards(organization, id, call)),
    };
  };

  const organizations = (): readonly string[] =>
    settings
      .get()
      .organizations.filter(({ names }) => names === 'clickhouse')
      .map(({ key }) => key);

  return {
    of: (organization) =>
      organizations().includes(organization) ? sightOf(organization) : undefined,
    organizations,
    closed: shutters.closed,
  };
}

/** A fault is called by its own cause: a page, a 500 and silence are three different things. */
function wordsOf({ code, status, because }: AppError, call: CallOptions | undefined): string {
  if (call?.signal?.aborted === true) return SLOW;
  return (status === undefined ? undefined : BECAUSE[code]) ?? because?.cause ?? SLOW;
}

/** What says nothing of the cloud's other reads. */
function isRefusal(code: string): true | undefined {
  return code === 'forbidden' || code === 'not-found' ? true : undefined;
}

const ABOUT_ONE: ReadonlySet<Eye> = new Set(['service', 'pipe']);
