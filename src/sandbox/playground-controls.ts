import type { ConsoleRequest } from './control-plane/console/acts.ts';
import type { FaultRequest } from './control-plane/faults.ts';
import type { ControlPlane } from './control-plane/plane.ts';
import { SERVICES } from './control-plane/seed.ts';
import { CONSOLE_GROUP } from './workspace/protocol/page-protocol.ts';
import type { Failure, Faults } from './workspace/state/faults.ts';
import type { Controls } from './workspace/state/options.ts';

type Fault<F> = { readonly id: string; readonly label: string; readonly fault: F };

const POST = 'chat.postMessage';

const SLACK: readonly Fault<Failure>[] = [
  { id: 'slack-500', label: 'Posting messages fails (500)', fault: { status: 500 } },
  {
    id: 'slack-429',
    label: 'Posting messages is limited (429, 30 s)',
    fault: { status: 429, retryAfter: 30 },
  },
];

const PEOPLE = 'slack-people';
const PLAIN = 'slack-plain';
const FLAGS = [
  { id: PEOPLE, label: 'Slack does not say who people are' },
  { id: PLAIN, label: 'Charts and tables are refused' },
] as const;

const API: readonly Fault<FaultRequest>[] = [
  { id: 'api-500', label: 'Every request fails (500)', fault: { kind: 'status', status: 500 } },
  {
    id: 'api-429',
    label: 'Every request is limited (429)',
    fault: { kind: 'status', status: 429, retryAfter: 5 },
  },
  { id: 'api-slow', label: 'Answers take 6 seconds', fault: { kind: 'slow', delayMs: 6_000 } },
  {
    id: 'api-lost',
    label: 'It does what is asked, and the answer is lost',
    fault: { kind: 'cut-after' },
  },
  { id: 'api-html', label: 'A proxy answers in its place (504)', fault: { kind: 'html504' } },
];

type Deed = {
  readonly id: string;
  readonly label: string;
  readonly on: ConsoleRequest;
  readonly off: ConsoleRequest;
};

const { id: service, name } = SERVICES.reporting;
const email = 'gus@example.com';

/** What somebody does past Steward, and takes back; only a cloud with sight shows it. */
const CONSOLE: readonly Deed[] = [
  {
    ...{ id: 'console-rename', label: 'Somebody renamed reporting to attic' },
    on: { act: 'rename', service, name: 'attic' },
    off: { act: 'rename', service, name },
  },
  {
    ...{ id: 'console-member', label: `${email} joined the organization` },
    on: { act: 'member-joined', email },
    off: { act: 'member-removed', email },
  },
];

const SWITCHES = [
  ...[...SLACK, ...FLAGS].map(({ id, label }) => ({ id, label, group: 'Slack' })),
  ...API.map(({ id, label }) => ({ id, label, group: 'Control API' })),
];
const CLOUD_SWITCHES = CONSOLE.map(({ id, label }) => ({ id, label, group: CONSOLE_GROUP }));

/** What a person may do to the playground's world on the page. Design: §11. */
export function createControls(
  plane: Pick<ControlPlane, 'faults' | 'console' | 'settings'>,
  move: (by: string, onStep: () => void) => Promise<void>,
): (faults: Faults) => Controls {
  return (faults) => {
    const on = new Set<string>();
    const switches = (): typeof SWITCHES =>
      plane.settings().names === 'clickhouse' ? [...SWITCHES, ...CLOUD_SWITCHES] : SWITCHES;
    /** Of several of one kind the first that is on strikes. */
    const strike = (): void => {
      faults.heal(POST);
      for (const { id, fault: failure } of SLACK) {
        if (on.has(id)) faults.plan(POST, { failure, times: Number.POSITIVE_INFINITY });
      }
      faults.usersInfoDown = on.has(PEOPLE);
      faults.nativeData = !on.has(PLAIN);
      plane.faults.clear();
      for (const { id, fault } of API) if (on.has(id)) plane.faults.add(fault);
    };
    return {
      list: () => switches().map((one) => ({ ...one, on: on.has(one.id) })),
      set: (wanted, isOn) => {
        if (!switches().some(({ id }) => id === wanted)) {
          throw new RangeError('There is no such switch.');
        }
        const deed = CONSOLE.find(({ id }) => id === wanted);
        if (deed !== undefined) plane.console(isOn ? deed.on : deed.off);
        if (isOn) on.add(wanted);
        else on.delete(wanted);
        strike();
      },
      advance: move,
    };
  };
}
