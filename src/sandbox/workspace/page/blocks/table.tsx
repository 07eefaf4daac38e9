import type { Json } from '../../protocol/page-protocol.ts';
import { list, str } from '../json.ts';
import { RichText } from '../text/rich-text.tsx';
import type { BlockProps } from './block-props.ts';
import { cellText, tableRows } from './table-rows.ts';

/** `table`: the first row is its head. */
export function Table({ block }: BlockProps) {
  const [head = [], ...body] = tableRows(block);
  const settings = list(block, 'column_settings');
  const align = (column: number) => alignClass(settings[column]);
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col" class={align(column)}>
                <Cell cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} class={align(column)}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function alignClass(settings: Json | undefined): string {
  const align = settings ? str(settings, 'align') : null;
  return align === 'right' || align === 'center' ? `align-${align}` : '';
}

/** A cell: rich text as such, all else by its words. */
export function Cell({ cell }: { readonly cell: Json | undefined }) {
  if (cell?.['type'] === 'rich_text') return <RichText value={cell} />;
  return <>{cellText(cell)}</>;
}
