/** One HTML page that needs nothing from elsewhere: the tables and the worst mistakes. Escapes all that it did not write itself. */
import type { Mistake, MistakeList } from '../evaluation.js';
import type { Results } from '../results.js';
import { tablesOf, type Table } from './result-tables.js';

const SHOWN_CHARACTERS = 400;

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
div.scroll { overflow-x: auto; }
table { border-collapse: collapse; } th, td { padding: .25rem .75rem; border-bottom: 1px solid #d8dde4; text-align: left; vertical-align: top; }
thead th { background: #f2f4f7; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.text { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 20rem; } p.note { color: #566072; }`;

export function renderHtml(results: Results, mistakes: readonly MistakeList[]): string {
  const title = `Accuracy of ${results.model ?? 'no model'} on ${results.file}`;
  const body = [
    `<h1>${escape(title)}</h1>`,
    ...results.notes.map((note) => `<p class="note">${escape(note)}</p>`),
    ...tablesOf(results).map(tableSection),
    ...mistakes.map(mistakeSection),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>${STYLE}
</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`;
}

function tableSection({ title, headings, rows, note }: Table): string {
  // A table without headings has names and values, and a value may be words.
  const cellClass = headings.length === 0 ? '' : ' class="number"';
  const body = rows.map(
    ([name = '', ...cells]) =>
      `<tr><th scope="row">${escape(name)}</th>${cells.map((cell) => `<td${cellClass}>${escape(cell)}</td>`).join('')}</tr>`,
  );
  return section(title, headings, body, note);
}

function mistakeSection({ title, mistakes }: MistakeList): string {
  const headings = ['row', 'label', 'probability', 'score', 'passed', 'categories', 'text'];
  return section(title, headings, mistakes.map(mistakeRow), mistakes.length === 0 ? 'There are none.' : undefined);
}

function mistakeRow(mistake: Mistake): string {
  return `<tr><td class="number">${mistake.row}</td><td>${escape(mistake.truth)}</td><td class="number">${mistake.probability.toFixed(6)}</td><td class="number">${mistake.score}</td><td>${mistake.passed ? 'yes' : 'no'}</td><td>${escape(mistake.categories.join(', '))}</td><td class="text" dir="auto">${escape(shortened(mistake.text))}</td></tr>`;
}

function section(
  title: string,
  headings: readonly string[],
  rows: readonly string[],
  note: string | undefined,
): string {
  const head =
    headings.length === 0
      ? ''
      : `<thead><tr>${headings.map((heading) => `<th scope="col">${escape(heading)}</th>`).join('')}</tr></thead>\n`;
  const below = note === undefined ? '' : `\n<p class="note">${escape(note)}</p>`;
  return `<h2>${escape(title)}</h2>
<div class="scroll"><table>
${head}<tbody>
${rows.join('\n')}
</tbody></table></div>${below}`;
}

/** By code points, so that no character is cut in two. */
function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * SHOWN_CHARACTERS + 2));
  if (characters.length <= SHOWN_CHARACTERS) return text;
  return `${characters.slice(0, SHOWN_CHARACTERS).join('')}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
