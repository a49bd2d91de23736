/** Pieces of HTML that all parts of the report are made of. Everything that is not written in this folder goes through `escape`. */
import type { Table } from './table.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export function tableSection({ title, headings, rows, note }: Table): string {
  // A table without headings has names and values, and a value may be words.
  const cellClass = headings.length === 0 ? '' : ' class="number"';
  const body = rows.map(
    ([name = '', ...cells]) =>
      `<tr><th scope="row">${escape(name)}</th>${cells.map((cell) => `<td${cellClass}>${escape(cell)}</td>`).join('')}</tr>`,
  );
  return section({ title, headings, body, note });
}

export interface Section {
  readonly title: string;
  readonly headings: readonly string[];
  /** Rows as HTML. */
  readonly body: readonly string[];
  readonly note?: string | undefined;
}

export function section({ title, headings, body, note }: Section): string {
  const head =
    headings.length === 0
      ? ''
      : `<thead><tr>${headings.map((heading) => `<th scope="col">${escape(heading)}</th>`).join('')}</tr></thead>\n`;
  const below = note === undefined ? '' : `\n<p class="note">${escape(note)}</p>`;
  return `<h3>${escape(title)}</h3>
<div class="scroll"><table>
${head}<tbody>
${body.join('\n')}
</tbody></table></div>${below}`;
}

/** By code points, so that no character is cut in two. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}
