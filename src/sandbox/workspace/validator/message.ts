import { checkAttachments } from './blocks/attachments.ts';
import { checkBlocks } from './blocks/blocks.ts';
import { textLength } from './blocks/totals.ts';
import { parseJsonArgument } from './json-argument.ts';
import {
  asMessage,
  type Context,
  createContext,
  lengthOf,
  type ValidationResult,
  type ValidatorOptions,
} from './types.ts';

/** What `chat.*`, a response url and an acknowledgement may carry; each part may be JSON text. */
export type MessageBody = {
  readonly text?: unknown;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
  readonly markdown_text?: unknown;
};

const textCharacters = 40_000;
const advisedTextCharacters = 4_000;
const markdownCharacters = 12_000;
const blockTextCharacters = 12_500;
const advisedBlockTextCharacters = 10_000;

type Failure = Extract<ValidationResult, { ok: false }>;

/**
 * Would Slack take this message? All faults of the blocks are reported, else the first fault of the
 * body. Errors: `no_text`, `msg_too_long`, `markdown_text_conflict`, `invalid_arguments`,
 * `invalid_blocks_format`, `invalid_blocks`, `invalid_attachments`, `msg_blocks_too_long`.
 * Lengths are code points. Facts: Blocks; Messages.
 */
export function validateMessage(
  message: MessageBody,
  options: Partial<ValidatorOptions> = {},
): ValidationResult {
  const context = createContext('message', options);
  const blocks = parseJsonArgument(message.blocks ?? undefined);
  const attachments = parseJsonArgument(message.attachments ?? undefined);
  if (!blocks.ok || !isListOrAbsent(blocks.value)) return refuse('invalid_blocks_format', context);
  if (!attachments.ok || !isListOrAbsent(attachments.value)) {
    return refuse('invalid_attachments', context);
  }
  const parts = { blocks: blocks.value ?? [], attachments: attachments.value ?? [] };
  return (
    checkTexts(message, parts, context) ??
    checkStructure(parts, context) ?? { ok: true, warnings: context.warnings }
  );
}

/** The lists of a body, parsed and present. */
type Parts = { readonly blocks: readonly unknown[]; readonly attachments: readonly unknown[] };

function isListOrAbsent(value: unknown): value is readonly unknown[] | undefined {
  return value === undefined || Array.isArray(value);
}

function refuse(error: string, context: Context, messages: readonly string[] = []): Failure {
  return { ok: false, error, messages, warnings: context.warnings };
}

function checkTexts(message: MessageBody, parts: Parts, context: Context): Failure | null {
  const text = message.text ?? '';
  const markdown = message.markdown_text ?? '';
  if (typeof text !== 'string' || typeof markdown !== 'string') {
    const at = typeof text === 'string' ? '/markdown_text' : '/text';
    const problem = { at, text: 'must provide a string' };
    return refuse('invalid_arguments', context, [asMessage(problem)]);
  }
  if (markdown !== '') return checkMarkdownText(text, markdown, parts, context);
  if (lengthOf(text) > textCharacters) return refuse('msg_too_long', context);
  if (text.trim() === '') return checkMissingText(parts, context);
  if (lengthOf(text) > advisedTextCharacters) {
    return advise('msg_too_long', '`text` should be less than 4001 characters', context);
  }
  return null;
}

/** `markdown_text` stands alone. */
function checkMarkdownText(
  text: string,
  markdown: string,
  parts: Parts,
  context: Context,
): Failure | null {
  if (text !== '' || parts.blocks.length > 0) return refuse('markdown_text_conflict', context);
  return lengthOf(markdown) > markdownCharacters ? refuse('msg_too_long', context) : null;
}

function checkMissingText(parts: Parts, context: Context): Failure | null {
  if (parts.blocks.length === 0 && parts.attachments.length === 0) {
    return refuse('no_text', context);
  }
  const words = '`text` is missing: screen readers and notifications have nothing to say';
  return advise('no_text', words, context);
}

/** What Slack only advises is a warning, or refused when the workspace is set to be strict. */
function advise(error: string, words: string, context: Context): Failure | null {
  if (context.options.strictText) return refuse(error, context, [`[ERROR] ${words}`]);
  context.warnings.push(words);
  return null;
}

function checkStructure(parts: Parts, context: Context): Failure | null {
  checkBlocks(parts.blocks, '/blocks', context);
  if (context.problems.length > 0) {
    return refuse('invalid_blocks', context, context.problems.map(asMessage));
  }
  checkAttachments(parts.attachments, '/attachments', context);
  if (context.problems.length > 0) {
    return refuse('invalid_attachments', context, context.problems.map(asMessage));
  }
  const length = textLength(parts.blocks);
  if (length > blockTextCharacters) return refuse('msg_blocks_too_long', context);
  if (length <= advisedBlockTextCharacters) return null;
  const words = `the text of all blocks has ${length} characters: Slack may refuse more than 10000`;
  return advise('msg_blocks_too_long', words, context);
}
