import { useState } from 'preact/hooks';
import { num, str } from '../json.ts';
import type { BlockProps } from './block-props.ts';
import { Cell } from './table.tsx';
import {
  cellText,
  isNumberColumn,
  nextSorting,
  type Row,
  type Sorting,
  sortRows,
  tableRows,
} from './table-rows.ts';

const DEFAULT_PAGE = 5;

/** `data_table`: a caption, columns that sort, pages. */
export function DataTable({ block }: BlockProps) {
  const [head = [], ...body] = tableRows(block);
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [page, setPage] = useState(0);
  const size = num(block, 'page_size') ?? DEFAULT_PAGE;
  const pages = Math.max(1, Math.ceil(body.length / size));
  const at = Math.min(page, pages - 1);
  const numbers = head.map((_, column) => isNumberColumn(body, column));
  const sort = (column: number): void => {
    setSorting(nextSorting(sorting, column));
    setPage(0);
  };
  return (
    <div class="data-table">
      <div class="table-scroll">
        <table>
          <caption>{str(block, 'caption') ?? ''}</caption>
          <Head head={head} numbers={numbers} sorting={sorting} sort={sort} />
          <Body
            rows={sortRows(body, sorting).slice(at * size, (at + 1) * size)}
            numbers={numbers}
            rowHeader={num(block, 'row_header_column_index')}
          />
        </table>
      </div>
      {pages > 1 ? <Pager at={at} pages={pages} rows={body.length} go={setPage} /> : null}
    </div>
  );
}

type HeadProps = {
  readonly head: Row;
  readonly numbers: readonly boolean[];
  readonly sorting: Sorting | null;
  sort(column: number): void;
};

function Head({ head, numbers, sorting, sort }: HeadProps) {
  return (
    <thead>
      <tr>
        {head.map((cell, column) => {
          const order =
            sorting?.column !== column ? 'none' : sorting.descending ? 'descending' : 'ascending';
          return (
            <th
              key={column}
              scope="col"
              aria-sort={order}
              class={numbers[column] ? 'align-right' : ''}
            >
              <button type="button" class="sort" onClick={() => sort(column)}>
                {cellText(cell)}
                <span aria-hidden="true">
                  {order === 'none' ? ' ↕' : order === 'ascending' ? ' ↑' : ' ↓'}
                </span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

type BodyProps = {
  readonly rows: readonly Row[];
  readonly numbers: readonly boolean[];
  readonly rowHeader: number | null;
};

function Body({ rows, numbers, rowHeader }: BodyProps) {
  return (
    <tbody>
      {rows.map((row, at) => (
        <tr key={at}>
          {row.map((cell, column) => {
            const align = numbers[column] ? 'align-right' : '';
            return column === rowHeader ? (
              <th key={column} scope="row" class={align}>
                <Cell cell={cell} />
              </th>
            ) : (
              <td key={column} class={align}>
                <Cell cell={cell} />
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}

type PagerProps = {
  readonly at: number;
  readonly pages: number;
  readonly rows: number;
  go(page: number): void;
};

function Pager({ at, pages, rows, go }: PagerProps) {
  return (
    <div class="pager">
      <button type="button" class="button" disabled={at === 0} onClick={() => go(at - 1)}>
        Previous page
      </button>
      <span role="status">
        Page {at + 1} of {pages}, {rows} rows
      </span>
      <button type="button" class="button" disabled={at >= pages - 1} onClick={() => go(at + 1)}>
        Next page
      </button>
    </div>
  );
}
