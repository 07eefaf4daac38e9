import { useWorkspace } from './workspace.ts';

/** What went amiss last, until it is put away. Announced at once to a screen reader. */
export function Notice() {
  const { notice, tell } = useWorkspace();
  return (
    <div role="alert">
      {notice === null ? null : (
        <p class="notice">
          {notice}
          <button
            type="button"
            class="plain"
            aria-label="Put this notice away"
            onClick={() => tell(null)}
          >
            <span aria-hidden="true">×</span>
          </button>
        </p>
      )}
    </div>
  );
}
