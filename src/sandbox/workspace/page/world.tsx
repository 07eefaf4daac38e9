import { useState } from 'preact/hooks';
import type { PageSwitch } from '../protocol/page-protocol.ts';
import { timeOfDay } from './text/date-token.ts';
import { useWorkspace } from './workspace.ts';

const STEPS = [
  { by: 'PT10M', label: '10 minutes', milliseconds: 600_000 },
  { by: 'PT1H', label: '1 hour', milliseconds: 3_600_000 },
  { by: 'P1D', label: '1 day', milliseconds: 86_400_000 },
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

type Move = { readonly label: string; readonly from: number; readonly milliseconds: number };

/** A day takes seconds: how far it has come. */
function Moving({ move, now }: { readonly move: Move; readonly now: number }) {
  const percent = Math.min(100, Math.round(((now - move.from) / move.milliseconds) * 100));
  return (
    <label class="clock-moving">
      {move.label} ahead: {percent} %
      <progress max={100} value={percent} />
    </label>
  );
}

function Clock() {
  const { state, client, tell } = useWorkspace();
  const { now, me } = state;
  const [move, setMove] = useState<Move | null>(null);
  const advance = ({ by, label, milliseconds }: (typeof STEPS)[number]): void => {
    setMove({ label, from: Date.parse(now), milliseconds });
    void client.act({ kind: 'advance', by }).then((answer) => {
      setMove(null);
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
        {STEPS.map((step) => (
          <button
            key={step.by}
            type="button"
            class="button"
            disabled={move !== null}
            onClick={() => advance(step)}
          >
            {step.label} ahead
          </button>
        ))}
      </p>
      {move === null ? null : <Moving move={move} now={Date.parse(now)} />}
      <p class="quiet">
        The cloud, this page and the bot move together, a quarter of an hour at a time: services
        change their state, nights pass, costs become final.
      </p>
    </fieldset>
  );
}
