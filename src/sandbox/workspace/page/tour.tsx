import { useEffect, useRef } from 'preact/hooks';
import { useWorkspace } from './workspace.ts';

type Step = {
  readonly title: string;
  readonly text: string;
  /** What of the page it speaks of; `tour.css` marks it. */
  readonly about: 'person' | 'channels' | 'composer' | 'world';
  /** A line for the message field, by whom and where it is to be sent. */
  readonly line?: { readonly as: string; readonly channel: string; readonly text: string };
};

const STEPS: readonly Step[] = [
  {
    title: 'You act as somebody',
    text: 'Ana operates services, Ben leads, Fay reads costs. “Act as” changes who you are; what may be done changes with it.',
    about: 'person',
  },
  {
    title: 'Channels have rules',
    text: 'In #ops services may be stopped, in #random nothing may. Home shows what waits for you and what you may do.',
    about: 'channels',
  },
  {
    title: 'Stop a service',
    text: 'The line is in the message field: send it. The bot asks first, then tells the channel what the API answered.',
    about: 'composer',
    line: { as: 'ana', channel: 'ops', text: '/db stop scratch' },
  },
  {
    title: 'A second person',
    text: 'What is tagged prod needs an approval. Send the line as Ana, then act as Ben and press Approve.',
    about: 'composer',
    line: { as: 'ana', channel: 'ops', text: '/db stop analytics' },
  },
  {
    title: 'Break-glass',
    text: 'Ben may go ahead without an approval: with a reason, and announced in #audit before it runs.',
    about: 'composer',
    line: { as: 'ben', channel: 'ops', text: '/db stop reader --break-glass the disk is full' },
  },
  {
    title: 'When things go wrong',
    text: '“Faults and clock” breaks Slack or the API and moves time on; the traffic log shows every call. Nothing runs twice.',
    about: 'world',
  },
];

const TOUR_STEPS = STEPS.length;

type Props = { readonly at: number; go(to: number | null): void };

/** Six steps, in the page's own flow: it covers nothing that it speaks of. */
export function Tour({ at, go }: Props) {
  const { state, place, propose, go: goTo } = useWorkspace();
  const heading = useRef<HTMLHeadingElement>(null);
  const step = STEPS[at];
  useEffect(() => {
    heading.current?.focus();
    document.body.dataset['tour'] = step?.about ?? '';
    return () => {
      delete document.body.dataset['tour'];
    };
  }, [at]);
  if (step === undefined) return null;
  const { line } = step;
  const put = (): void => {
    const as = state.personas.find(({ name }) => name === line?.as)?.id ?? place.as ?? '';
    const channel = state.channels.find(({ name }) => name === line?.channel)?.id;
    goTo({ as, in: channel ?? place.in ?? '' });
    propose(line?.text ?? null);
  };
  const isLast = at === TOUR_STEPS - 1;
  return (
    <section
      class="hints tour"
      aria-label="Tour"
      onKeyDown={(event) => {
        if (event.key === 'Escape') go(null);
      }}
    >
      <h2 ref={heading} tabIndex={-1}>
        {at + 1} of {TOUR_STEPS}: {step.title}
      </h2>
      <p>{step.text}</p>
      {line === undefined ? null : (
        <p>
          <button type="button" class="button" onClick={put}>
            Put it into the field
          </button>{' '}
          <code>{line.text}</code>
        </p>
      )}
      <p class="tour-ways">
        <button type="button" class="button" disabled={at === 0} onClick={() => go(at - 1)}>
          Back
        </button>
        <button
          type="button"
          class="button button-primary"
          onClick={() => go(isLast ? null : at + 1)}
        >
          {isLast ? 'Done' : 'Next'}
        </button>
        {isLast ? null : (
          <button type="button" class="plain" onClick={() => go(null)}>
            Skip the tour
          </button>
        )}
      </p>
    </section>
  );
}
