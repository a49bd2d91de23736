/**
 * An operator's terms as one stretch of memory that every thread can read: sorted words, and terms as sorted sequences of their numbers. Finds nothing
 * itself.
 */
import { NONE, SortedSequences, type SequenceNode } from './sorted-sequences.js';
import { parseTerm, type TermWord } from './term.js';
import type { WordPattern } from './word-patterns.js';

export interface TermLists {
  /** Terms that always fail a text. Where they stand is to be told. */
  readonly blocked: readonly string[];
  /** Terms that never count: a neutral word of their kind takes their place before the network reads the text. */
  readonly ignored: readonly string[];
}

/** Where a compiled list stands. Costs next to nothing to send. */
export interface TermsPlace {
  readonly memory: ArrayBufferLike;
  /** In bytes, a multiple of 4. */
  readonly offset: number;
}

/** Views of the memory: nothing is copied. */
export interface TermTables {
  /** Patterns as word-patterns.ts has them, in code units. */
  readonly words: SortedSequences;
  readonly hasWild: boolean;
  /** The symbol of a word with a `*` is its number and this, so that those are the last; of another its number. */
  readonly wildFrom: number;
  readonly terms: SortedSequences;
  /** Of each place in the symbols of `terms`: 1 where a term goes on behind the end of a sentence. */
  readonly afterSentenceEnd: Uint8Array;
  /** Of each sequence the first term of its list that it is, or NONE. */
  readonly blocked: Int32Array;
  readonly ignored: Int32Array;
}

/** One word of the lists, however often it stands in them. */
interface Word extends WordPattern {
  symbol: number;
}

/** A term as it is looked for. */
interface Form {
  readonly words: readonly Word[];
  readonly kind: 'blocked' | 'ignored';
  readonly index: number;
  /** Of the words before which the term itself ends a sentence. */
  readonly sentenceStarts: readonly number[];
}

const HEADER = ['words', 'units', 'terms', 'symbols', 'hasWild'] as const;
type Header = Readonly<Record<(typeof HEADER)[number], number>>;
const NUMBER_BYTES = 4;

/** Terms that can never be found (see `parseTermList`) are passed over; the others keep the index that they have in their list. */
export function compileTerms(lists: TermLists): ArrayBuffer {
  const words = new Map<string, Word>();
  const forms: Form[] = [];
  for (const kind of ['blocked', 'ignored'] as const) {
    for (const [index, term] of lists[kind].entries()) {
      const parsed = parseTerm(term);
      for (const form of 'forms' in parsed ? parsed.forms : []) {
        forms.push({
          words: form.map((word) => known(word, words)),
          kind,
          index,
          sentenceStarts: sentenceStartsOf(form),
        });
      }
    }
  }
  // By code units, as the language sorts.
  const sorted = [...words.keys()].sort();
  for (const [number, pattern] of sorted.entries()) {
    const word = words.get(pattern);
    if (word !== undefined) word.symbol = word.isWild ? number + sorted.length : number;
  }
  forms.sort(byWords);
  const isNew = (form: Form, at: number): boolean => at === 0 || byWords(form, forms[at - 1] ?? form) !== 0;
  const different = forms.filter(isNew);

  const header: Header = {
    words: sorted.length,
    units: sumOf(sorted),
    terms: different.length,
    symbols: sumOf(different.map((form) => form.words)),
    hasWild: [...words.values()].some(({ isWild }) => isWild) ? 1 : 0,
  };
  const memory = new ArrayBuffer(bytesOf(header));
  new Uint32Array(memory).set(HEADER.map((name) => header[name]));
  const tables = termTablesAt({ memory, offset: 0 });
  fill(tables.words, sorted, (word, at) => word.charCodeAt(at));
  fill(
    tables.terms,
    different.map((form) => form.words),
    (form, at) => form[at]?.symbol ?? NONE,
  );
  tables.blocked.fill(NONE);
  tables.ignored.fill(NONE);
  let number = -1;
  for (const [at, form] of forms.entries()) {
    if (isNew(form, at)) number += 1;
    const first = tables[form.kind][number] ?? NONE;
    // Of terms that are the same the first counts.
    if (first === NONE || form.index < first) tables[form.kind][number] = form.index;
    if (form.sentenceStarts.length > 0) markSentenceStarts(form, tables);
  }
  return memory;
}

function known({ pattern, isWild }: WordPattern, words: Map<string, Word>): Word {
  let word = words.get(pattern);
  if (word === undefined) {
    word = { pattern, isWild, symbol: NONE };
    words.set(pattern, word);
  }
  return word;
}

function sentenceStartsOf(form: readonly TermWord[]): number[] {
  return [...form.keys()].filter((at) => form[at]?.isAfterSentenceEnd);
}

/** At the nodes along the term: others that begin as it does share them. */
function markSentenceStarts({ words, sentenceStarts }: Form, { terms, afterSentenceEnd }: TermTables): void {
  let node: SequenceNode | undefined = terms.root;
  for (const [at, { symbol }] of words.entries()) {
    node = node && terms.next(node, symbol);
    if (node !== undefined && sentenceStarts.includes(at)) afterSentenceEnd[terms.placeOf(node)] = 1;
  }
}

export function termTablesAt({ memory, offset }: TermsPlace): TermTables {
  const [words = 0, units = 0, terms = 0, symbols = 0, hasWild = 0] = new Uint32Array(memory, offset, HEADER.length);
  let at = offset + HEADER.length * NUMBER_BYTES;
  const next = (bytes: number): number => (at += bytes) - bytes;
  const numbers = (length: number): Uint32Array => new Uint32Array(memory, next(length * NUMBER_BYTES), length);
  const indexes = (): Int32Array => new Int32Array(memory, next(terms * NUMBER_BYTES), terms);
  const wordStarts = numbers(words + 1);
  const termStarts = numbers(terms + 1);
  const termSymbols = numbers(symbols);
  const blocked = indexes();
  const ignored = indexes();
  const wordUnits = new Uint16Array(memory, next(2 * units), units);
  return {
    words: new SortedSequences(wordUnits, wordStarts),
    hasWild: hasWild === 1,
    wildFrom: words,
    terms: new SortedSequences(termSymbols, termStarts),
    afterSentenceEnd: new Uint8Array(memory, next(symbols), symbols),
    blocked,
    ignored,
  };
}

function bytesOf({ words, units, terms, symbols }: Header): number {
  const bytes = NUMBER_BYTES * (HEADER.length + words + 1 + terms + 1 + symbols + 2 * terms) + 2 * units + symbols;
  return Math.ceil(bytes / NUMBER_BYTES) * NUMBER_BYTES;
}

function fill<Sequence extends { readonly length: number }>(
  { symbols, starts }: SortedSequences,
  sequences: readonly Sequence[],
  symbolOf: (sequence: Sequence, at: number) => number,
): void {
  let end = 0;
  for (const [number, sequence] of sequences.entries()) {
    for (let at = 0; at < sequence.length; at += 1, end += 1) symbols[end] = symbolOf(sequence, at);
    starts[number + 1] = end;
  }
}

function byWords({ words: one }: Form, { words: other }: Form): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return (one[at]?.symbol ?? NONE) - (other[at]?.symbol ?? NONE);
}

function sumOf(lengths: readonly { readonly length: number }[]): number {
  return lengths.reduce((sum, { length }) => sum + length, 0);
}
