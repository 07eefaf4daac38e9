import type { ComponentChildren } from 'preact';
import type { Json } from '../../protocol/page-protocol.ts';
import { list, num, obj, str } from '../json.ts';
import { emojiCharacter } from './emoji.ts';
import { safeHref } from './links.ts';
import { ChannelMention, DateToken, Link, UserMention } from './mrkdwn.tsx';

/** A `rich_text` block: sections, lists, quotes and preformatted text. */
export function RichText({ value }: { readonly value: Json }) {
  return (
    <div class="rich-text">
      {list(value, 'elements').map((part, index) => (
        <RichPart key={index} part={part} />
      ))}
    </div>
  );
}

function RichPart({ part }: { readonly part: Json }) {
  const type = str(part, 'type') ?? '';
  switch (type) {
    case 'rich_text_section':
      return (
        <p>
          <Leaves of={part} />
        </p>
      );
    case 'rich_text_quote':
      return (
        <blockquote>
          <Leaves of={part} />
        </blockquote>
      );
    case 'rich_text_preformatted':
      return (
        <pre>
          <Leaves of={part} />
        </pre>
      );
    case 'rich_text_list':
      return <RichList part={part} />;
    default:
      return <p class="warning">This page cannot draw the rich text part “{type}”.</p>;
  }
}

function RichList({ part }: { readonly part: Json }) {
  const items = list(part, 'elements').map((item, index) => (
    <li key={index}>
      <Leaves of={item} />
    </li>
  ));
  const level = `indent-${Math.min(4, num(part, 'indent') ?? 0)}`;
  if (str(part, 'style') !== 'ordered') return <ul class={level}>{items}</ul>;
  return (
    <ol class={level} start={(num(part, 'offset') ?? 0) + 1}>
      {items}
    </ol>
  );
}

function Leaves({ of }: { readonly of: Json }) {
  return (
    <>
      {list(of, 'elements').map((leaf, index) => (
        <Styled key={index} style={obj(leaf, 'style') ?? {}}>
          <Leaf leaf={leaf} />
        </Styled>
      ))}
    </>
  );
}

function Styled({
  style,
  children,
}: {
  readonly style: Json;
  readonly children: ComponentChildren;
}) {
  let node = children;
  if (style['code'] === true) node = <code>{node}</code>;
  if (style['strike'] === true) node = <s>{node}</s>;
  if (style['underline'] === true) node = <u>{node}</u>;
  if (style['italic'] === true) node = <em>{node}</em>;
  if (style['bold'] === true) node = <strong>{node}</strong>;
  return <>{node}</>;
}

function Leaf({ leaf }: { readonly leaf: Json }) {
  const type = str(leaf, 'type') ?? '';
  switch (type) {
    case 'text':
      return <>{str(leaf, 'text')}</>;
    case 'link': {
      const url = str(leaf, 'url') ?? '';
      return <Link href={safeHref(url)}>{str(leaf, 'text') ?? url}</Link>;
    }
    case 'user':
      return <UserMention id={str(leaf, 'user_id') ?? ''} />;
    case 'channel':
      return <ChannelMention id={str(leaf, 'channel_id') ?? ''} />;
    case 'usergroup':
      return <span class="mention">@{str(leaf, 'usergroup_id')}</span>;
    case 'broadcast':
      return <span class="mention">@{str(leaf, 'range')}</span>;
    case 'emoji':
      return <>{emojiCharacter(str(leaf, 'name') ?? '')}</>;
    case 'color':
      return <code>{str(leaf, 'value')}</code>;
    case 'date':
      return (
        <DateToken
          seconds={num(leaf, 'timestamp') ?? Number.NaN}
          format={str(leaf, 'format') ?? ''}
          href={safeHref(str(leaf, 'url') ?? '')}
          fallback={str(leaf, 'fallback') ?? ''}
        />
      );
    default:
      return <span class="warning">[{type}]</span>;
  }
}
