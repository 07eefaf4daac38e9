import type { ComponentType } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import type { Json } from '../../protocol/page-protocol.ts';
import { list, str } from '../json.ts';
import { Markdown } from '../text/markdown.tsx';
import { RichText } from '../text/rich-text.tsx';
import type { BlockProps } from './block-props.ts';
import { Card, Carousel } from './card.tsx';
import { Chart } from './chart.tsx';
import { Container } from './container.tsx';
import { DataTable } from './data-table.tsx';
import { InputBlock } from './input-block.tsx';
import { ImageBlock, VideoBlock } from './media.tsx';
import { Plan, TaskCard } from './plan.tsx';
import { Section } from './section.tsx';
import { Actions, Alert, Context, ContextActions, FileBlock, Header } from './simple.tsx';
import { Table } from './table.tsx';

const BLOCKS: Readonly<Record<string, ComponentType<BlockProps>>> = {
  actions: Actions,
  alert: Alert,
  card: Card,
  carousel: Carousel,
  container: ({ block }) => (
    <Container block={block}>
      <Blocks blocks={list(block, 'child_blocks')} />
    </Container>
  ),
  context: Context,
  context_actions: ContextActions,
  data_table: DataTable,
  data_visualization: Chart,
  divider: () => <hr />,
  file: FileBlock,
  header: Header,
  image: ImageBlock,
  input: InputBlock,
  markdown: ({ block }) => <Markdown text={str(block, 'text') ?? ''} />,
  plan: Plan,
  rich_text: ({ block }) => <RichText value={block} />,
  section: Section,
  table: Table,
  task_card: TaskCard,
  video: VideoBlock,
};

/** The blocks of a message or view in their order. */
export function Blocks({ blocks }: { readonly blocks: readonly Json[] }) {
  return (
    <div class="blocks">
      {blocks.map((block, index) => (
        <Block key={str(block, 'block_id') ?? `block-${index}`} block={block} />
      ))}
    </div>
  );
}

/** One block; an unknown or broken one shows a warning and its JSON, never nothing. */
function Block({ block }: BlockProps) {
  const [fault] = useErrorBoundary();
  const type = str(block, 'type') ?? 'without a type';
  const Known = BLOCKS[type];
  if (fault !== undefined)
    return <Undrawn block={block} words={`The block “${type}” could not be drawn.`} />;
  if (!Known) return <Undrawn block={block} words={`This page cannot draw the block “${type}”.`} />;
  return <Known block={block} />;
}

function Undrawn({ block, words }: BlockProps & { readonly words: string }) {
  return (
    <details class="warning">
      <summary>{words}</summary>
      <pre>{JSON.stringify(block, null, 2)}</pre>
    </details>
  );
}
