/** Term lists as plain text, a term a line, so that a community can keep, share and merge its own. Knows no policies. */
import { parseTerm } from './term.js';

export interface TermList {
  /** Those that can be found, in order, each once. */
  readonly terms: readonly string[];
  /** Terms that are found in the same places as an earlier one: the same, or another way to write it. */
  readonly duplicates: readonly { readonly term: string; readonly line: number; readonly firstLine: number }[];
  /** Terms that no text can ever match. `reason` completes "It …". */
  readonly unmatchable: readonly { readonly term: string; readonly line: number; readonly reason: string }[];
}

const BYTE_ORDER_MARK = /^\uFEFF/u;
const LINE_END = /\r\n|\r|\n/u;
/** A term that begins as a comment does, or as such a term. */
const NEEDS_ESCAPE = /^\\*#/u;
const ESCAPED = /^\\(?=\\*#)/u;

/** Blank lines and those that begin with `#` are passed over; a term that begins so is written `\#metoo`. Lines count from 1. */
export function parseTermList(text: string): TermList {
  const terms: string[] = [];
  const duplicates: TermList['duplicates'][number][] = [];
  const unmatchable: TermList['unmatchable'][number][] = [];
  const lines = new Map<string, number>();
  for (const [index, written] of text.replace(BYTE_ORDER_MARK, '').split(LINE_END).entries()) {
    const trimmed = written.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const term = trimmed.replace(ESCAPED, '');
    const line = index + 1;
    const parsed = parseTerm(term);
    if ('problem' in parsed) {
      unmatchable.push({ term, line, reason: parsed.problem });
      continue;
    }
    const firstLine = lines.get(parsed.key);
    if (firstLine === undefined) {
      lines.set(parsed.key, line);
      terms.push(term);
    } else duplicates.push({ term, line, firstLine });
  }
  return { terms, duplicates, unmatchable };
}

/** The inverse: what `parseTermList` reads as these terms, if each can be found and is there once. */
export function formatTermList(terms: readonly string[]): string {
  return terms.map((term) => `${term.trim().replace(NEEDS_ESCAPE, (start) => `\\${start}`)}\n`).join('');
}
