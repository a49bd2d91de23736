/** Lists of terms as the text of a field or file: one a line, `#` before a comment, a backslash before a term that begins with `#`. */

/** As src/text/terms/term-list.ts reads and writes them, but for what that leaves out. */
const ESCAPED = /^\\(?=\\*#)/u;
const NEEDS_ESCAPE = /^\\*#/u;

export function termsIn(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/u);
  const terms = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(ESCAPED, ''));
  return [...new Set(terms)];
}

export function textOfTerms(terms: readonly string[]): string {
  return terms.map((term) => `${term.trim().replace(NEEDS_ESCAPE, (start) => `\\${start}`)}\n`).join('');
}
