import type { TrafficEntry } from '../protocol/page-protocol.ts';
import { timeOfDay } from './text/date-token.ts';
import { useWorkspace } from './workspace.ts';

/** What went between the workspace and the bot, newest first: the first place to look when a bot misbehaves. */
export function Traffic({ entries }: { readonly entries: readonly TrafficEntry[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
    <section class="traffic" aria-label="Traffic log" tabIndex={0}>
      {entries.length === 0 ? (
        <p class="quiet">Nothing yet. Type a command and watch.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Direction</th>
              <th scope="col">What</th>
              <th scope="col" class="align-right">
                Answered in
              </th>
              <th scope="col">Detail</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry, index) => (
              <Row key={`${entries.length - index}/${entry.at}/${entry.what}`} entry={entry} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Row({ entry }: { readonly entry: TrafficEntry }) {
  const { zone } = useWorkspace().state.me;
  const toBot = entry.direction === 'to-bot';
  return (
    <tr class={entry.problem === null ? '' : 'traffic-problem'}>
      <td>
        <time dateTime={entry.at}>{timeOfDay(Date.parse(entry.at) / 1000, zone)}</time>
      </td>
      <td>{toBot ? '→ to the bot' : '← from the bot'}</td>
      <td>
        <code>{entry.what}</code>
      </td>
      <td class="align-right">
        {entry.milliseconds === null ? '' : `${Math.round(entry.milliseconds)} ms`}
      </td>
      <td>
        {entry.problem === null ? null : <strong class="problem">{entry.problem} </strong>}
        <Detail text={entry.detail} />
      </td>
    </tr>
  );
}

const SHORT = 100;

function Detail({ text }: { readonly text: string }) {
  if (text.length <= SHORT && !text.includes('\n')) return <>{text}</>;
  return (
    <details>
      <summary>{text.slice(0, SHORT)} …</summary>
      <pre>{text}</pre>
    </details>
  );
}
