import { useEffect } from 'preact/hooks';
import { Notice } from '../notice.tsx';
import { useWorkspace } from '../workspace.ts';
import { ViewBlocks } from './view-stack.tsx';

/** The bot's Home tab; opening it tells the bot, which may publish anew. */
export function Home() {
  const { state, client, tell } = useWorkspace();
  const { home } = state;
  useEffect(() => {
    void client.act({ kind: 'openHome' }).then((answer) => {
      if (!answer.ok) tell(answer.error ?? 'The Home tab did not open.');
    });
  }, [client]);
  return (
    <main class="pane">
      <header class="pane-head">
        <h2>Home</h2>
        <p class="quiet">What the bot shows to @{state.me.name} alone</p>
      </header>
      <div class="home">
        <Notice />
        {home === null ? (
          <p class="quiet">The bot has not published a Home tab for @{state.me.name}.</p>
        ) : (
          <ViewBlocks key={home.id} view={home} />
        )}
      </div>
    </main>
  );
}
