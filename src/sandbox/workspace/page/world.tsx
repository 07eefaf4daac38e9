import type { PageSwitch } from '../protocol/page-protocol.ts';
import { timeOfDay } from './text/date-token.ts';
import { useWorkspace } from './workspace.ts';

const STEPS = [
  { by: 'PT10M', label: '10 minutes' },
  { by: 'PT1H', label: '1 hour' },
  { by: 'P1D', label: '1 day' },
] as const;

/** Faults to switch on, and the clock of the world: what a person may do beside being somebody in it. */
export function World({ switches }: { readonly switches: readonly PageSwitch[] }) {
  const { client, tell } = useWorkspace();
  const groups = [...new Set(switches.map(({ group }) => group))];
  const set = (one: PageSwitch): void => {
    void client.act({ kind: 'switch', id: one.id, on: !one.on }).then((answer) => {
      if (!answer.ok) tell(answer.error ?? 'It was not switched.');
    });
  };
  return (
    <section class="traffic world" aria-label="Faults and clock">
      {groups.map((group) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {switches
            .filter((one) => one.group === group)
            .map((one) => (
              <label key={one.id} class="switch">
                <input type="checkbox" checked={one.on} onChange={() => set(one)} />
                {one.label}
              </label>
            ))}
        </fieldset>
      ))}
      <Clock />
    </section>
  );
}

function Clock() {
  const { state, client, tell } = useWorkspace();
  const { now, me } = state;
  const advance = (by: string): void => {
    void client.act({ kind: 'advance', by }).then((answer) => {
      if (!answer.ok) tell(answer.error ?? 'The clock was not moved.');
    });
  };
  return (
    <fieldset class="clock">
      <legend>Clock of the world</legend>
      <p role="status">
        <time dateTime={now}>
          {now.slice(0, 10)}, {timeOfDay(Date.parse(now) / 1_000, me.zone)}
        </time>{' '}
        in {me.zone}
      </p>
      <p class="clock-steps">
        {STEPS.map(({ by, label }) => (
          <button key={by} type="button" class="button" onClick={() => advance(by)}>
            {label} ahead
          </button>
        ))}
      </p>
      <p class="quiet">
        The cloud, this page and the bot move together, a quarter of an hour at a time: services
        change their state, nights pass, costs become final.
      </p>
    </fieldset>
  );
}
