import { type AppError, toAppError } from '../core/cloud/errors.ts';
import type { Clock, Reply } from '../core/ports/ports.ts';
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
  unauthorized: 15,
  'not-found': 15,
  'rate-limited': 1,
};

const BECAUSE: Readonly<Record<string, string>> = {
  forbidden: 'the key may not (403)',
  unauthorized: 'the key is not accepted (401)',
  'not-found': 'the cloud has no such list (404)',
  'rate-limited': 'too many requests (429)',
};

/**
 * The eyes of the organizations whose cloud has reads: `names: clickhouse`. One that is refused (401,
 * 403, 404, 429) closes for a while, so that no command waits for it again and again; what is missing
 * of one thing (404 of a single service) is an answer and closes nothing. Design: §14.
 */
export function createSights({ cloud, settings, clock }: SightOptions): Sights {
  const eyes = new Map<string, ClosedEye>();

  function closedEye(organization: string, eye: Eye): ClosedEye | undefined {
    const found = eyes.get(`${organization} ${eye}`);
    return found !== undefined && found.until > clock.now().toISO() ? found : undefined;
  }

  function close(organization: string, eye: Eye, { code, status }: AppError): void {
    const minutes = CLOSED_MINUTES[code];
    // Without a status it is our own limit that had no room.
    if (minutes === undefined || status === undefined) return;
    const until = clock.now().plus({ minutes }).toISO();
    const because = BECAUSE[code] ?? code;
    eyes.set(`${organization} ${eye}`, { organization, eye, because, until });
  }

  async function look<T>(
    organization: string,
    eye: Eye,
    read: () => Promise<Reply<T>>,
  ): Promise<Look<T>> {
    const closed = closedEye(organization, eye);
    if (closed !== undefined) return { kind: 'unseen', because: closed.because };
    try {
      const { result } = await read();
      eyes.delete(`${organization} ${eye}`);
      return { kind: 'seen', value: result };
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'not-found' && ABOUT_ONE.has(eye)) return { kind: 'missing' };
      close(organization, eye, error);
      const isBusy = error.code === 'rate-limited' && error.status === undefined;
      return { kind: 'unseen', because: wordsOf(error), isBusy };
    }
  }

  const sightOf = (organization: string): Sight => {
    const eye = <T>(name: Eye, read: () => Promise<Reply<T>>) => look(organization, name, read);
    return {
      services: (call) => eye('services', () => cloud.services(organization, call)),
      service: (id, call) => eye('service', () => cloud.service(organization, id, call)),
      pipe: (ids, call) => eye('pipe', () => cloud.pipe(organization, ids, call)),
      activities: (span, call) =>
        eye('activities', () => cloud.activities(organization, span, call)),
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
    closed: () => {
      const now = clock.now().toISO();
      return [...eyes.values()].filter(({ until }) => until > now);
    },
  };
}

function wordsOf({ code, status }: AppError): string {
  return (status === undefined ? undefined : BECAUSE[code]) ?? 'the cloud did not answer in time';
}

const ABOUT_ONE: ReadonlySet<Eye> = new Set(['service', 'pipe']);
