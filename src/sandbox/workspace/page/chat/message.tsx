import type { PageFile, PageMessage } from '../../protocol/page-protocol.ts';
import { Blocks } from '../blocks/block.tsx';
import { Menu } from '../menu.tsx';
import { timeOfDay } from '../text/date-token.ts';
import { safeImage } from '../text/links.ts';
import { Mrkdwn } from '../text/mrkdwn.tsx';
import { SurfaceContext, useWorkspace } from '../workspace.ts';

type Props = {
  readonly message: PageMessage;
  /** How many replies hang below it; null inside the thread itself. */
  readonly replies: number | null;
};

/** One message: who, when, what, and what can be done with it. */
export function Message({ message, replies }: Props) {
  const { place, go } = useWorkspace();
  const source = { message: { channel: message.channel, ts: message.ts } };
  const kind = [
    message.ephemeral ? 'message-only-you' : '',
    replies !== null && place.thread === message.ts ? 'message-open' : '',
  ];
  return (
    <article
      class={['message', ...kind].join(' ')}
      data-ts={message.ts}
      aria-label={`Message from ${message.userName}`}
    >
      <Avatar message={message} />
      <div class="message-main">
        {message.ephemeral ? <p class="only-you">Only visible to you</p> : null}
        <Head message={message} />
        <SurfaceContext.Provider value={{ source, values: message.values ?? {}, errors: {} }}>
          <Body message={message} />
        </SurfaceContext.Provider>
        {message.files.map((file) => (
          <File key={file.id} file={file} />
        ))}
        {replies !== null && replies > 0 ? (
          <button type="button" class="replies" onClick={() => go({ thread: message.ts })}>
            {replies === 1 ? '1 reply' : `${replies} replies`}
          </button>
        ) : null}
      </div>
      {message.ephemeral ? null : <Tools message={message} inThread={replies === null} />}
    </article>
  );
}

function Avatar({ message }: { readonly message: PageMessage }) {
  const tone =
    [...message.userId].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 6;
  return (
    <span class={`avatar tone-${tone} ${message.fromBot ? 'avatar-bot' : ''}`} aria-hidden="true">
      {message.userName.slice(0, 1).toUpperCase()}
    </span>
  );
}

function Head({ message }: { readonly message: PageMessage }) {
  const { state } = useWorkspace();
  const seconds = Number(message.ts);
  return (
    <p class="message-head">
      <strong>{message.userName}</strong>
      {message.fromBot ? <span class="tag">bot</span> : null}
      <time dateTime={new Date(seconds * 1000).toISOString()}>
        {timeOfDay(seconds, state.me.zone)}
      </time>
      {message.edited ? <span class="quiet">(edited)</span> : null}
    </p>
  );
}

function Body({ message }: { readonly message: PageMessage }) {
  if (message.blocks.length > 0) return <Blocks blocks={message.blocks} />;
  return (
    <div class="text">
      <Mrkdwn text={message.text} />
    </div>
  );
}

function File({ file }: { readonly file: PageFile }) {
  const address = safeImage(file.url);
  const name = file.title || file.id;
  if (address === null) return <p class="file">{name}</p>;
  return (
    <p class="file">
      {file.mimetype.startsWith('image/') ? <img class="picture" src={address} alt={name} /> : null}
      <a href={address} download={name}>
        {name}
      </a>{' '}
      <small class="quiet">{file.mimetype}</small>
    </p>
  );
}

function Tools({
  message,
  inThread,
}: {
  readonly message: PageMessage;
  readonly inThread: boolean;
}) {
  const { state, client, tell, go } = useWorkspace();
  const { channel, ts } = message;
  const shortcuts = state.shortcuts
    .filter((shortcut) => shortcut.type === 'message')
    .map(({ callbackId, name }) => ({
      key: callbackId,
      label: name,
      choose: () =>
        void client.act({ kind: 'messageShortcut', callbackId, channel, ts }).then((answer) => {
          if (!answer.ok) tell(answer.error ?? 'The shortcut did not work.');
        }),
    }));
  return (
    <div class="tools">
      {inThread ? null : (
        <button type="button" class="button" onClick={() => go({ thread: ts })}>
          Reply
        </button>
      )}
      {shortcuts.length === 0 ? null : (
        <Menu name="More actions" items={shortcuts}>
          <span aria-hidden="true">⋯</span>
        </Menu>
      )}
    </div>
  );
}
