/**
 * What is counted of verdicts and refusals, how much of it is told apart, and how counts stay few. Nothing that a caller makes up is in it: keys,
 * doors, languages of the model, scores, categories and codes. Pure.
 */
import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../errors.js';

/** Upper ends of the classes of latency in milliseconds; the last class is open. */
export const LATENCY_CLASSES_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500] as const;
export const LATENCY_OUTCOMES = [...LATENCY_CLASSES_MS.map((ms) => `within_${ms}` as const), 'longer'] as const;

/** Empty, or -1, where it was not told apart. */
export interface Cell {
  readonly keyId: string;
  /** The address of the route. */
  readonly door: string;
  /** Of verdicts alone, as the rest. */
  readonly language: string;
  readonly score: number;
  /** `,toxic,insult,`: sorted, with a comma around each. `,` where there is none. */
  readonly categories: string;
}

/**
 * By outcome and cell, as one text. A verdict is `passed` or `failed`, and one of LATENCY_OUTCOMES, and `cached` where it was known before. A
 * refusal is its code alone.
 */
export type Counts = Map<string, number>;

export interface CountedVerdict {
  readonly keyId: string;
  readonly door: string;
  readonly analysis: {
    readonly verdict: { readonly passed: boolean; readonly score: number; readonly categories: readonly string[] };
    readonly probabilities: { readonly language?: { readonly tag: string } | undefined };
    readonly cached: boolean;
  };
  readonly latencyMs: number;
}

export interface CountedRefusal {
  /** Undefined where the request had no valid one. */
  readonly keyId: string | undefined;
  readonly door: string;
  readonly code: ErrorCode;
}

/** Changes `counts`. */
export function countVerdict(counts: Counts, { keyId, door, analysis, latencyMs }: CountedVerdict): void {
  const { passed, score, categories } = analysis.verdict;
  const language = analysis.probabilities.language?.tag ?? '';
  const sorted = categories.length === 0 ? ',' : `,${categories.toSorted().join(',')},`;
  addTo(counts, `${passed ? 'passed' : 'failed'}\n${keyId}\n${door}\n${language}\n${score}\n${sorted}`, 1);
  const found = LATENCY_CLASSES_MS.findIndex((most) => latencyMs <= most);
  addTo(counts, `${LATENCY_OUTCOMES.at(found) ?? 'longer'}\n${keyId}\n${door}${NOT_TOLD_APART}`, 1);
  if (analysis.cached) addTo(counts, `cached\n${keyId}\n${door}${NOT_TOLD_APART}`, 1);
}

/** Changes `counts`. */
export function countRefusal(counts: Counts, { keyId = '', door, code }: CountedRefusal): void {
  addTo(counts, `${code}\n${keyId}\n${door}${NOT_TOLD_APART}`, 1);
}

const NOT_TOLD_APART = '\n\n-1\n';

/** So many of a span are told apart in full; then as many again, at most, by key and door alone; then by outcome alone. */
export const MOST_IN_FULL = 250;
const MOST = 400;

/** Where something is counted, so that a span does not get too many. @param known what the span has so far */
export function placeOf(key: string, known: Pick<ReadonlySet<string>, 'has' | 'size'>): string {
  if (known.has(key) || known.size < MOST_IN_FULL) return key;
  const [outcome = '', keyId = '', door = ''] = key.split('\n', 3);
  const byDoor = `${outcome}\n${keyId}\n${door}${NOT_TOLD_APART}`;
  return known.has(byDoor) || known.size < MOST ? byDoor : `${outcome}\n\n${NOT_TOLD_APART}`;
}

/** Changes `counts`. */
export function addTo(counts: Counts, key: string, total: number): void {
  const place = placeOf(key, counts);
  counts.set(place, (counts.get(place) ?? 0) + total);
}

export function keyOf(outcome: string, { keyId, door, language, score, categories }: Cell): string {
  return `${outcome}\n${keyId}\n${door}\n${language}\n${score}\n${categories}`;
}

export function outcomeAndCell(key: string): { readonly outcome: string; readonly cell: Cell } {
  const [outcome = '', keyId = '', door = '', language = '', score = '', categories = ''] = key.split('\n');
  return { outcome, cell: { keyId, door, language, score: Number(score), categories } };
}

/** The same in every server: 48 bits of a hash, so that two of some thousand cells are hardly ever one. */
export function idOf(cell: Cell): number {
  return createHash('sha256').update(keyOf('', cell)).digest().readUIntBE(0, 6);
}
