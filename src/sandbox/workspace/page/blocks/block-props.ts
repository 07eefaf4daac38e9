import type { Json } from '../../protocol/page-protocol.ts';

/** Every block is drawn from its JSON alone; what it needs beside it comes from the contexts. */
export type BlockProps = { readonly block: Json };
