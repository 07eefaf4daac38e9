import { useId } from 'preact/hooks';
import type { Persona } from '../protocol/page-protocol.ts';
import { timeOfDay } from './text/date-token.ts';
import { useWorkspace } from './workspace.ts';

type Props = { readonly live: boolean; readonly traffic: boolean; toggleTraffic(): void };

/** Name, simulation notice, the persona switch and what can be said about the bot. */
export function TopBar({ live, traffic, toggleTraffic }: Props) {
  const { state } = useWorkspace();
  const problems = state.traffic.filter((entry) => entry.problem !== null).length;
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
      <button type="button" class="button" aria-expanded={traffic} onClick={toggleTraffic}>
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
