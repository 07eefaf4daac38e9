import { Element } from '../elements/element.tsx';
import { list, obj, str, words } from '../json.ts';
import { TextObject } from '../text/mrkdwn.tsx';
import type { BlockProps } from './block-props.ts';
import { Picture } from './media.tsx';

/** `section`: a text, fields in two columns, an accessory beside them. */
export function Section({ block }: BlockProps) {
  const fields = list(block, 'fields');
  const accessory = obj(block, 'accessory');
  return (
    <div class="section">
      <div class="section-text">
        {obj(block, 'text') ? (
          <div class="text">
            <TextObject value={block['text']} />
          </div>
        ) : null}
        {fields.length > 0 ? (
          <div class="fields">
            {fields.map((field, index) => (
              <div key={index} class="text">
                <TextObject value={field} />
              </div>
            ))}
          </div>
        ) : null}
      </div>
      {accessory ? <Accessory block={block} /> : null}
    </div>
  );
}

function Accessory({ block }: BlockProps) {
  const accessory = obj(block, 'accessory') ?? {};
  if (str(accessory, 'type') === 'image') return <Picture image={accessory} class="thumbnail" />;
  const name = words(accessory['placeholder']) || words(block['text']) || 'Choose';
  return (
    <div class="accessory">
      <Element
        key={`${str(block, 'block_id')}/${str(accessory, 'action_id')}`}
        element={accessory}
        blockId={str(block, 'block_id') ?? ''}
        dispatch={true}
        attributes={{ 'aria-label': name }}
      />
    </div>
  );
}
