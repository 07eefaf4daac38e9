import { type MarkdownPart, parseMarkdown } from './markdown-tree.ts';
import { InlineNodes } from './mrkdwn.tsx';
import type { Inline } from './mrkdwn-tree.ts';

/** A `markdown` block's text. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div class="markdown">
      {parseMarkdown(text).map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </div>
  );
}

function Part({ part }: { readonly part: MarkdownPart }) {
  switch (part.kind) {
    case 'heading':
      return (
        <h4 class="markdown-heading">
          <InlineNodes nodes={part.children} />
        </h4>
      );
    case 'paragraph':
      return (
        <p>
          <InlineNodes nodes={part.children} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <InlineNodes nodes={part.children} />
        </blockquote>
      );
    case 'pre':
      return <pre>{part.text}</pre>;
    case 'rule':
      return <hr />;
    case 'list':
      return part.ordered ? (
        <ol>
          <Items items={part.items} />
        </ol>
      ) : (
        <ul>
          <Items items={part.items} />
        </ul>
      );
    case 'table':
      return <MarkdownTable rows={part.rows} />;
  }
}

function Items({ items }: { readonly items: readonly (readonly Inline[])[] }) {
  return (
    <>
      {items.map((item, index) => (
        <li key={index}>
          <InlineNodes nodes={item} />
        </li>
      ))}
    </>
  );
}

function MarkdownTable({ rows }: { readonly rows: readonly (readonly (readonly Inline[])[])[] }) {
  const [head = [], ...body] = rows;
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                <InlineNodes nodes={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index}>
                  <InlineNodes nodes={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
