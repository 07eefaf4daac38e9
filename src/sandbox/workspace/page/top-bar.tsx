import { useId } from 'preact/hooks';
import type { Persona } from '../protocol/page-protocol.ts';
import { timeOfDay } from './text/date-token.ts';
import { useWorkspace } from './workspace.ts';

/** What stands open at the lower edge. */
export type Drawer = 'traffic' | 'world' | null;

type Props = { readonly live: boolean; readonly drawer: Drawer; toggle(drawer: Drawer): void };

/** Name, simulation notice, the persona switch and what can be said about the bot. */
export function TopBar({ live, drawer, toggle }: Props) {
  const { state } = useWorkspace();
  const problems = state.traffic.filter((entry) => entry.problem !== null).length;
  const faults = state.switches?.filter(({ on }) => on).length ?? 0;
  return (
    <header class="top">
      <div class="brand">
        <h1>Steward playground</h1>
        <p>A simulation on this computer. Nothing here is real.</p>
      </div>
      <PersonaSwitch />
      <p class="status" role="status">
        <span class={live && state.botConnected ? 'lamp lamp-on' : 'lamp'} aria-hidden="true" />
        {status(live, state.botConnected)}
      </p>
      {state.switches === undefined ? null : (
        <button
          type="button"
          class="button world-button"
          aria-expanded={drawer === 'world'}
          onClick={() => toggle('world')}
        >
          Faults and clock {faults > 0 ? <span class="badge">{faults} on</span> : null}
        </button>
      )}
      <button
        type="button"
        class="button"
        aria-expanded={drawer === 'traffic'}
        onClick={() => toggle('traffic')}
      >
        Traffic log{' '}
        {problems > 0 ? (
          <span class="badge">{problems === 1 ? '1 problem' : `${problems} problems`}</span>
        ) : null}
      </button>
    </header>
  );
}

function status(live: boolean, bot: boolean): string {
  if (!live) return 'Connection lost, trying again';
  return bot ? 'Bot connected' : 'Bot not connected';
}

function PersonaSwitch() {
  const id = useId();
  const { state, go } = useWorkspace();
  const { me, personas, now } = state;
  return (
    <div class="persona">
      <label for={id}>Act as</label>
      <select id={id} value={me.id} onChange={(event) => go({ as: event.currentTarget.value })}>
        {personas.map((persona) => (
          <option key={persona.id} value={persona.id}>
            {personaLabel(persona)}
          </option>
        ))}
      </select>
      <small class="quiet">
        {timeOfDay(Date.parse(now) / 1000, me.zone)} in {me.zone}
      </small>
    </div>
  );
}

function personaLabel(persona: Persona): string {
  const name = persona.realName || persona.name;
  return persona.kind === 'member' ? name : `${name} (${persona.kind})`;
}
