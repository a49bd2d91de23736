/** Term lists as plain text, a term a line, so that a community can keep, share and merge its own. Knows no policies. */
import { termLines } from './term-lines.js';
import { parseTerm } from './term.js';

export interface TermList {
  /** Those that can be found, in order, each once. */
  readonly terms: readonly string[];
  /** Terms that are found in the same places as an earlier one: the same, or another way to write it. */
  readonly duplicates: readonly { readonly term: string; readonly line: number; readonly firstLine: number }[];
  /** Terms that no text can ever match. `reason` completes "It …". */
  readonly unmatchable: readonly { readonly term: string; readonly line: number; readonly reason: string }[];
}

/** Lines count from 1. */
export function parseTermList(text: string): TermList {
  const terms: string[] = [];
  const duplicates: TermList['duplicates'][number][] = [];
  const unmatchable: TermList['unmatchable'][number][] = [];
  const lines = new Map<string, number>();
  for (const { term, line } of termLines(text)) {
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
