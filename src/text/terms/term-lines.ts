/**
 * A list of terms as plain text: a term a line, `#` before a comment, a backslash before a term that begins with `#`. Pure, and knows
 * nothing of what a term matches; the dashboard's page uses it too.
 */

const BYTE_ORDER_MARK = /^\uFEFF/u;
const LINE_END = /\r\n|\r|\n/u;
/** A term that begins as a comment does, or as such a term. */
const NEEDS_ESCAPE = /^\\*#/u;
const ESCAPED = /^\\(?=\\*#)/u;

export interface TermLine {
  readonly term: string;
  /** From 1. */
  readonly line: number;
}

/** Blank lines and comments are passed over. */
export function termLines(text: string): TermLine[] {
  const lines = text.replace(BYTE_ORDER_MARK, '').split(LINE_END);
  return lines.flatMap((written, index) => {
    const trimmed = written.trim();
    return trimmed === '' || trimmed.startsWith('#') ? [] : [{ term: trimmed.replace(ESCAPED, ''), line: index + 1 }];
  });
}

/** The inverse: what is read as these terms, if each can be found and is there once. */
export function formatTermList(terms: readonly string[]): string {
  return terms.map((term) => `${term.trim().replace(NEEDS_ESCAPE, (start) => `\\${start}`)}\n`).join('');
}
