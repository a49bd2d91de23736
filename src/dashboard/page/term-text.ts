/** Lists of terms as the text of a field or file: one a line, `#` before a comment, a backslash before a term that begins with either. */

export function termsIn(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const terms = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (line.startsWith('\\') ? line.slice(1) : line));
  return [...new Set(terms)];
}

export function textOfTerms(terms: readonly string[]): string {
  return terms.map((term) => `${/^[#\\]/.test(term) ? '\\' : ''}${term}\n`).join('');
}
