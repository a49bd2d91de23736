/** Lists of terms as plain text: one a line, `#` before a comment. Knows nothing of what a term matches. */

export interface ReadTerms {
  /** In the order of the text, each once. */
  readonly terms: readonly string[];
  /** Lines that repeat an earlier term, as `[line, line of the first]`. */
  readonly duplicates: readonly (readonly [line: number, first: number])[];
}

/** A term that begins with `#` or a backslash is written with a backslash before it. */
export function readTermList(text: string): ReadTerms {
  const lines = new Map<string, number>();
  const duplicates: [number, number][] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const term = line.startsWith('\\') ? line.slice(1) : line;
    const first = lines.get(term);
    if (first === undefined) lines.set(term, index + 1);
    else duplicates.push([index + 1, first]);
  }
  return { terms: [...lines.keys()], duplicates };
}

export function termListText(terms: readonly string[]): string {
  return terms.map((term) => `${/^[#\\]/.test(term) ? '\\' : ''}${term}\n`).join('');
}
