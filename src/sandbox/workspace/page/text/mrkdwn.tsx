import type { ComponentChildren } from 'preact';
import { channelLabel } from '../elements/options.ts';
import { isJson, str } from '../json.ts';
import { useWorkspace } from '../workspace.ts';
import { formatDateToken } from './date-token.ts';
import { emojiCharacter, withEmoji } from './emoji.ts';
import { type Inline, parseMrkdwn } from './mrkdwn-tree.ts';

/** mrkdwn as nodes; never as markup. */
export function Mrkdwn({ text }: { readonly text: string }) {
  return <InlineNodes nodes={parseMrkdwn(text)} />;
}

/** A text object, `plain_text` or `mrkdwn`, or a bare string taken as plain. */
export function TextObject({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <>{withEmoji(value)}</>;
  if (!isJson(value)) return null;
  const text = str(value, 'text') ?? '';
  if (value['type'] === 'mrkdwn') return <Mrkdwn text={text} />;
  return <>{value['emoji'] === false ? text : withEmoji(text)}</>;
}

/** Parsed text as nodes. */
export function InlineNodes({ nodes }: { readonly nodes: readonly Inline[] }) {
  return (
    <>
      {nodes.map((node, index) => (
        <InlineNode key={index} node={node} />
      ))}
    </>
  );
}

function InlineNode({ node }: { readonly node: Inline }) {
  switch (node.kind) {
    case 'text':
      return <>{node.text}</>;
    case 'code':
      return <code>{node.text}</code>;
    case 'pre':
      return <pre>{node.text}</pre>;
    case 'bold':
      return <strong>{<InlineNodes nodes={node.children} />}</strong>;
    case 'italic':
      return <em>{<InlineNodes nodes={node.children} />}</em>;
    case 'strike':
      return <s>{<InlineNodes nodes={node.children} />}</s>;
    case 'quote':
      return <blockquote>{<InlineNodes nodes={node.children} />}</blockquote>;
    case 'link':
      return <Link href={node.href}>{<InlineNodes nodes={node.children} />}</Link>;
    case 'user':
      return <UserMention id={node.id} label={node.label} />;
    case 'channel':
      return <ChannelMention id={node.id} label={node.label} />;
    case 'group':
      return <span class="mention">{node.label ?? `@${node.id}`}</span>;
    case 'broadcast':
      return <span class="mention">@{node.name.replace(/^@/, '')}</span>;
    case 'date':
      return <DateToken {...node} />;
    case 'emoji':
      return <>{emojiCharacter(node.name)}</>;
  }
}

/** A link that leaves the page; without an address only its words. */
export function Link({
  href,
  children,
}: {
  readonly href: string | null;
  readonly children: ComponentChildren;
}) {
  if (href === null) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** A person by name; by id when this workspace does not know them. */
export function UserMention({
  id,
  label = null,
}: {
  readonly id: string;
  readonly label?: string | null;
}) {
  const { state } = useWorkspace();
  const person = state.personas.find((persona) => persona.id === id);
  // The bot itself is no persona: known by what it wrote.
  const author = state.messages.find((message) => message.userId === id);
  const name = person?.name ?? label ?? author?.userName ?? id;
  return <span class={id === state.me.id ? 'mention mention-me' : 'mention'}>@{name}</span>;
}

/** A channel by name, as a link into it when the person may see it. */
export function ChannelMention({
  id,
  label = null,
}: {
  readonly id: string;
  readonly label?: string | null;
}) {
  const { state, go } = useWorkspace();
  const channel = state.channels.find((each) => each.id === id);
  if (!channel) return <span class="mention">#{label || id}</span>;
  return (
    <button type="button" class="mention" onClick={() => go({ in: id })}>
      {channelLabel(channel)}
    </button>
  );
}

type DateProps = {
  readonly seconds: number;
  readonly format: string;
  readonly href: string | null;
  readonly fallback: string;
};

/** A moment in the persona's zone; its title says which. */
export function DateToken({ seconds, format, href, fallback }: DateProps) {
  const { state } = useWorkspace();
  const words = formatDateToken(seconds, format, { zone: state.me.zone, now: state.now });
  if (words === null) return <Link href={href}>{fallback}</Link>;
  return (
    <Link href={href}>
      <time
        dateTime={new Date(seconds * 1000).toISOString()}
        title={`${state.me.zone}; in UTC: ${fallback}`}
      >
        {words}
      </time>
    </Link>
  );
}
