/** A table whose rows become blocks on narrow screens, where each cell says its heading. */
import type { ComponentChildren } from 'preact';

export interface Row {
  readonly key: string | number;
  readonly head: ComponentChildren;
  readonly cells: readonly ComponentChildren[];
  /** In a column without a heading. */
  readonly buttons?: ComponentChildren;
  readonly class?: string;
}

interface FoldingTableProps {
  /** Of the first column too. */
  readonly headings: readonly string[];
  readonly rows: readonly Row[];
  readonly class?: string;
}

export function FoldingTable({ headings, rows, class: more = '' }: FoldingTableProps) {
  const hasButtons = rows.some(({ buttons }) => buttons !== undefined);
  return (
    <table class={`folding ${more}`}>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
          {hasButtons && <td />}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, head, cells, buttons, class: name }) => (
          <tr key={key} class={name}>
            <th scope="row">{head}</th>
            {cells.map((cell, index) => (
              <td key={headings[index + 1]} data-heading={headings[index + 1]}>
                {cell}
              </td>
            ))}
            {hasButtons && <td class="buttons">{buttons}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
