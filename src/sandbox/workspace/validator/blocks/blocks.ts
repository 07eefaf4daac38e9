import { check } from '../check.ts';
import { list, oneOf, type ShapeTable } from '../shape.ts';
import type { Context, Surface } from '../types.ts';
import { basicBlocks } from './blocks-basic.ts';
import { dataBlocks } from './blocks-data.ts';
import { layoutBlocks } from './blocks-layout.ts';
import { checkIds } from './ids.ts';
import { checkMarkdownTotal, checkTableLike } from './totals.ts';

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];

/** On which surfaces a block may stand. Facts: Blocks. */
const surfaces: Readonly<Record<string, readonly Surface[]>> = {
  section: everywhere,
  header: everywhere,
  divider: everywhere,
  image: everywhere,
  actions: everywhere,
  context: everywhere,
  input: everywhere,
  rich_text: everywhere,
  video: everywhere,
  card: everywhere,
  carousel: ['message', 'home'],
  alert: ['modal'],
  file: ['message'],
  markdown: ['message'],
  context_actions: ['message'],
  table: ['message'],
  data_table: ['message'],
  data_visualization: ['message'],
  container: ['message'],
  task_card: ['message'],
  plan: ['message'],
};

const nativeData = ['data_table', 'data_visualization'];

const blockTable: ShapeTable = { ...basicBlocks, ...dataBlocks, ...layoutBlocks };

/** The block types that this surface takes, with the settings of the workspace. */
export function allowedBlocks(context: Context): readonly string[] {
  return Object.keys(blockTable).filter((type) => {
    if (!context.options.nativeData && nativeData.includes(type)) return false;
    return surfaces[type]?.includes(context.surface) ?? false;
  });
}

/** All checks of a list of blocks on one surface; findings go to the context. */
export function checkBlocks(blocks: readonly unknown[], at: string, context: Context): void {
  const most = context.surface === 'message' ? 50 : 100;
  check(list(oneOf(blockTable, allowedBlocks(context)), 0, most), blocks, at, context);
  checkIds(blocks, at, context);
  checkTableLike(blocks, at, context);
  checkMarkdownTotal(blocks, at, context);
}
