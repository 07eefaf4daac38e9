import type { Json } from '../../protocol/page-protocol.ts';
import { obj, str, words } from '../json.ts';
import { safeHref, safeImage } from '../text/links.ts';
import { Link, TextObject } from '../text/mrkdwn.tsx';
import type { BlockProps } from './block-props.ts';

/** The address of an image element: its own, or that of an uploaded file. */
function addressOf(image: Json): string | null {
  const file = obj(image, 'slack_file');
  const address = str(image, 'image_url') ?? (file ? str(file, 'url') : null);
  return address === null ? null : safeImage(address);
}

/**
 * An image element. Pictures of other hosts are not fetched: the page makes no request beyond this
 * computer, so their words stand in for them.
 */
export function Picture({
  image,
  class: className,
}: {
  readonly image: Json;
  readonly class: string;
}) {
  const address = addressOf(image);
  const alt = str(image, 'alt_text') ?? '';
  if (address === null || !isLocal(address)) {
    return (
      <span class={`${className} picture-words`}>
        <Link href={address === null ? null : safeHref(address)}>
          Picture: {alt || 'no description'}
        </Link>
      </span>
    );
  }
  return <img class={className} src={address} alt={alt} loading="lazy" />;
}

function isLocal(address: string): boolean {
  return new URL(address, location.href).origin === location.origin;
}

/** `image`: a picture with its title. */
export function ImageBlock({ block }: BlockProps) {
  return (
    <figure>
      {block['title'] ? (
        <figcaption>
          <TextObject value={block['title']} />
        </figcaption>
      ) : null}
      <Picture image={block} class="picture" />
    </figure>
  );
}

/** `video`: a link to it with its title; nothing is embedded. */
export function VideoBlock({ block }: BlockProps) {
  return (
    <p class="file">
      Video:{' '}
      <Link href={safeHref(str(block, 'title_url') ?? str(block, 'video_url') ?? '')}>
        {words(block['title']) || (str(block, 'alt_text') ?? '')}
      </Link>
    </p>
  );
}
