import type { ModalView } from '@slack/types';
import type { RawInput, RequestOptions } from '../../core/card/card.ts';
import {
  driversOf,
  type Field,
  isShown,
  REASON_FIELD,
  sectionsOf,
} from '../../core/operation/fields.ts';
import type { Operation } from '../../core/operation/operation.ts';
import type { Issue } from '../../core/operation/outcome.ts';
import { bold, say } from '../../core/text/text.ts';
import { button, context, type SlackBlock, section } from '../render/blocks.ts';
import { cut, toMrkdwn } from '../render/mrkdwn.ts';
import { fieldBlock } from './fields.ts';

/** What an open form knows; it is kept in the database, Slack only carries its id. */
export type FormState = {
  readonly operation: string;
  readonly channelId?: string | undefined;
  /** All that was typed so far, also in sections that are folded now. */
  readonly raw: RawInput;
  /** Names of unfolded sections. */
  readonly open: readonly string[];
  /** How often its errors were shown: of each round one submission counts. */
  readonly round?: number | undefined;
  readonly options?: RequestOptions | undefined;
  /** What the rules allow, by the field that they limit. */
  readonly limits?: Readonly<Record<string, string>> | undefined;
  /** The words of what was picked, by its value. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** What was picked where the choices follow another field, by block. */
  readonly picks?: Readonly<Record<string, string>> | undefined;
  /** Of the newest change in it, Slack's own time: an older one that comes later is no change. */
  readonly changedAt?: string | undefined;
  /** The rules by which it was drawn. */
  readonly rules?: string | undefined;
  /** How often those changed under it. */
  readonly edition?: number | undefined;
};

export type FormOptions = {
  readonly operation: Operation;
  readonly state: FormState;
  readonly formId: string;
  /** Shown on top when the form opens because something typed did not fit. */
  readonly issues?: readonly Issue[] | undefined;
  readonly credentials: readonly string[];
  /** Keys of the settings; with fewer than two the field for them is left out. */
  readonly organizations?: readonly string[] | undefined;
};

/** As its form asks for it: a change beside its own fields for the reason. */
export function inForm(operation: Operation): Operation {
  if (operation.risk === 'read') return operation;
  return { ...operation, fields: [...operation.fields, REASON_FIELD] };
}

/** `block_id` of a section's fold button. */
export const TOGGLE = 'toggle';

/** The modal of an operation, from its declared fields alone. Facts: Modals. */
export function formView(options: FormOptions): ModalView {
  const { operation, formId } = options;
  const blocks = [
    ...intro(operation),
    ...issueBlocks(options.issues ?? [], operation.fields),
    ...sectionsOf(operation.fields).flatMap((name) => sectionBlocks(name, options)),
  ];
  return {
    type: 'modal',
    callback_id: operation.id,
    private_metadata: formId,
    title: { type: 'plain_text', text: cut(operation.title, 24) },
    submit: { type: 'plain_text', text: submitLabel(operation) },
    close: { type: 'plain_text', text: 'Cancel' },
    // The published union lacks the newest blocks; none of them stands in a form.
    blocks: blocks.slice(0, 100) as ModalView['blocks'],
  };
}

function submitLabel(operation: Operation): string {
  if (operation.risk === 'read') return 'Show';
  if (operation.confirm === 'form') return operation.title.split(' ')[0] ?? 'Send';
  return 'Continue';
}

function intro(operation: Operation): readonly SlackBlock[] {
  if (operation.badge === undefined) return [];
  return [context(`*${operation.badge}* – ${BADGES[operation.badge]}`)];
}

const BADGES = {
  Beta: 'the API may still change in details.',
  Experimental: 'it works only where support has enabled it.',
} as const;

function issueBlocks(issues: readonly Issue[], fields: readonly Field[]): readonly SlackBlock[] {
  // A field that is merely missing shows that by being empty.
  const all = issues.filter((issue) => issue.message !== '');
  if (all.length === 0) return [];
  const told = all.slice(0, ISSUES);
  const more = all.length > ISSUES ? [`… and ${all.length - ISSUES} more.`] : [];
  const lines = told.map(({ field, message }) => {
    const label = fields.find(({ key }) => key === field)?.label;
    return `:warning: ${toMrkdwn(label === undefined ? [message] : say`${bold(label)}: ${message}`)}`;
  });
  return [section(cut([...lines, ...more].join('\n'), 3_000))];
}

/** So many stand on top; whoever mends these is told of the others. */
const ISSUES = 10;

function sectionBlocks(name: string, options: FormOptions): readonly SlackBlock[] {
  const { operation, state, credentials, organizations = [] } = options;
  const drivers = driversOf(operation.fields);
  const fields = operation.fields.filter(
    (field) =>
      (field.section ?? '') === name &&
      isShown(field, state.raw) &&
      (field.widget !== 'organization' || organizations.length > 1),
  );
  if (fields.length === 0) return [];
  const open = name === '' || state.open.includes(name);
  const blocks = open
    ? fields.map((field) =>
        fieldBlock(field, {
          raw: state.raw,
          dispatch: drivers.has(field.key),
          credentials,
          organizations,
          labels: state.labels,
          edition: state.edition,
          limit: state.limits?.[field.key],
        }),
      )
    : [];
  return name === '' ? blocks : [fold(name, open), ...blocks];
}

function fold(name: string, open: boolean): SlackBlock {
  return {
    type: 'actions',
    block_id: `${TOGGLE}:${name}`,
    elements: [
      button({ label: open ? `Hide: ${name}` : `${name} …`, action: TOGGLE, value: name }),
    ],
  };
}

/** Sections that hold something already are shown unfolded. */
export function sectionsWithValues(operation: Operation, raw: RawInput): readonly string[] {
  const used = operation.fields.filter((field) => raw[field.key] !== undefined);
  return [...new Set(used.map((field) => field.section ?? ''))].filter((name) => name !== '');
}

/** In place of a form that is not known any more. */
export function goneView(): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: 'This form is too old' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: 'Nothing was done. Type the command again for a new form.' },
      },
    ],
  };
}
