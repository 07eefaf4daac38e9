import { list, obj, str } from '../json.ts';
import { safeHref } from '../text/links.ts';
import { Link } from '../text/mrkdwn.tsx';
import { RichText } from '../text/rich-text.tsx';
import type { BlockProps } from './block-props.ts';

const STATUS: Readonly<Record<string, readonly [sign: string, word: string]>> = {
  pending: ['○', 'waiting'],
  in_progress: ['◐', 'under way'],
  complete: ['●', 'done'],
  error: ['✕', 'failed'],
};

/** `task_card`: one step, its state as a word beside the sign. */
export function TaskCard({ block }: BlockProps) {
  const status = str(block, 'status') ?? 'pending';
  const [sign, word] = STATUS[status] ?? ['?', status];
  const details = obj(block, 'details');
  const output = obj(block, 'output');
  const sources = list(block, 'sources');
  return (
    <article class={`task task-${status}`}>
      <p>
        <span aria-hidden="true" class="task-sign">
          {sign}
        </span>{' '}
        <strong>{str(block, 'title') ?? ''}</strong> <small class="quiet">{word}</small>
      </p>
      {details ? <RichText value={details} /> : null}
      {output ? <RichText value={output} /> : null}
      {sources.length > 0 ? (
        <p class="quiet">
          {sources.map((source) => (
            <span key={str(source, 'url')}>
              <Link href={safeHref(str(source, 'url') ?? '')}>
                {str(source, 'text') ?? ''}
              </Link>{' '}
            </span>
          ))}
        </p>
      ) : null}
    </article>
  );
}

/** `plan`: a title over its tasks. */
export function Plan({ block }: BlockProps) {
  return (
    <section class="plan">
      <strong>{str(block, 'title') ?? ''}</strong>
      {list(block, 'tasks').map((task, index) => (
        <TaskCard key={str(task, 'task_id') ?? index} block={task} />
      ))}
    </section>
  );
}
