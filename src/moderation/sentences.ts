/**
 * Cuts a text into passages that a reader would point at, to say where in the text something was detected; and into what may be its
 * sentences, to judge them alone.
 */

export interface Passage {
  readonly text: string;
  /** UTF-16 offsets into the text; surrounding whitespace is not part of a passage. */
  readonly start: number;
  readonly end: number;
}

/** Texts without punctuation are still cut, so that a passage stays short enough to point at. */
const MAX_PASSAGE_LENGTH = 240;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });

export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  for (const { segment, index } of segmentsOf(segmenter, text)) {
    for (const part of segment.length > MAX_PASSAGE_LENGTH ? cut(segment) : [{ segment, index: 0 }]) {
      const trimmed = part.segment.trim();
      if (trimmed === '') continue;
      const start = index + part.index + (part.segment.length - part.segment.trimStart().length);
      passages.push({ text: trimmed, start, end: start + trimmed.length });
    }
  }
  return passages;
}

/** Parts of at most MAX_PASSAGE_LENGTH, at word borders; a longer single word stays whole. */
function cut(sentence: string): { segment: string; index: number }[] {
  const parts: { segment: string; index: number }[] = [];
  let start = 0;
  let end = 0;
  for (const { segment, index } of segmentsOf(wordSegmenter, sentence)) {
    if (index + segment.length - start > MAX_PASSAGE_LENGTH && end > start) {
      parts.push({ segment: sentence.slice(start, end), index: start });
      start = end;
    }
    end = index + segment.length;
  }
  parts.push({ segment: sentence.slice(start), index: start });
  return parts;
}

/** Bounds the work for a text of thousands of tiny sentences. */
const MAX_PASSAGES = 256;

/** Joins neighbours until there are at most `most`. */
export function boundPassages(passages: readonly Passage[], text: string, most = MAX_PASSAGES): readonly Passage[] {
  let bounded = passages;
  while (bounded.length > most) {
    const joined: Passage[] = [];
    for (let index = 0; index < bounded.length; index += 2) {
      const first = bounded[index];
      const last = bounded[index + 1] ?? first;
      if (first !== undefined && last !== undefined) {
        joined.push({ text: text.slice(first.start, last.end), start: first.start, end: last.end });
      }
    }
    bounded = joined;
  }
  return bounded;
}

const ENDS_A_SENTENCE = /[.!?…]["'”’)\]]*$/u;
const BEGINS_WITH_A_CAPITAL = /^["'“‘(]?\p{Lu}/u;
const LETTER = /\p{L}/u;

export interface PossibleSentence {
  readonly text: string;
  /** What stands between full stops around it: itself, if it does not begin within that. */
  readonly whole: string;
}

/**
 * What may be sentences of a text, whoever wrote it and however: first what stands between full stops or line breaks, then what goes on
 * to such an end from a capital that follows a word without one. There a full stop was forgotten, or the sentence put into another.
 *
 * @param most the first so many are given
 */
export function possibleSentences(text: string, most: number): PossibleSentence[] {
  const whole = wordsOfSentences(text).filter((words) => words.some((word) => LETTER.test(word)));
  // Those that begin within others are joined only if they are wanted: of thousands of words there may be thousands.
  const stretches = [
    ...whole.map((words) => ({ words, start: 0 })),
    ...whole.flatMap((words) => beginningsWithin(words).map((start) => ({ words, start }))),
  ];
  return stretches
    .slice(0, most)
    .map(({ words, start }) => ({ text: words.slice(start).join(' '), whole: words.join(' ') }));
}

/** A sentence that goes on further beyond a stretch than so many characters is cut where the stretch is. */
const REACH = 160;
const SENTENCE_END = /[.!?…]["'”’)\]]*(?=\s)|\n/gu;

/** The stretch from `start` to `end`, with the rest of the sentences that it begins and ends within. */
export function inWholeSentences(text: string, start: number, end: number): string {
  return text.slice(beginningOfSentence(text, start), endOfSentence(text, start, end));
}

function beginningOfSentence(text: string, at: number): number {
  const from = Math.max(0, at - REACH);
  const last = [...text.slice(from, at).matchAll(SENTENCE_END)].at(-1);
  if (last !== undefined) return from + last.index + last[0].length;
  return from === 0 ? 0 : at;
}

function endOfSentence(text: string, start: number, at: number): number {
  const within = text.slice(start, at).trimEnd();
  if (ENDS_A_SENTENCE.test(within) && /^(?:\s|$)/u.test(text.slice(start + within.length, at + 1))) return at;
  const rest = text.slice(at, at + REACH);
  const next = rest.matchAll(SENTENCE_END).next().value;
  if (next !== undefined) return at + next.index + next[0].length;
  return at + REACH >= text.length ? text.length : at;
}

function wordsOfSentences(text: string): string[][] {
  const sentences: string[][] = [];
  for (const line of text.split('\n')) {
    let sentence: string[] = [];
    const words = line.split(/\s+/u).filter((word) => word !== '');
    for (const [index, word] of words.entries()) {
      sentence.push(word);
      if (index < words.length - 1 && !ENDS_A_SENTENCE.test(word)) continue;
      sentences.push(sentence);
      sentence = [];
    }
  }
  return sentences;
}

/** Indices of words. A last word alone is no sentence. */
function beginningsWithin(sentence: readonly string[]): number[] {
  const hasCapital = sentence.map((word) => BEGINS_WITH_A_CAPITAL.test(word));
  return [...sentence.keys()]
    .slice(1, -1)
    .filter((index) => hasCapital[index] === true && hasCapital[index - 1] === false);
}

const STRETCH_LENGTH = 1000;

/**
 * The segments of a text, in time linear in its length. V8 takes time for each segment in proportion to the whole that it is given, so
 * it is given a stretch at a time. The last segment of a stretch may go on beyond it and is looked at again with what follows.
 */
function* segmentsOf(of: Intl.Segmenter, text: string): Generator<{ segment: string; index: number }> {
  let reach = STRETCH_LENGTH;
  for (let start = 0; start < text.length;) {
    let last = 0;
    for (const { segment, index } of of.segment(text.slice(start, start + reach))) {
      last = index;
      const mayGoOn = index + segment.length === reach && start + reach < text.length;
      if (!mayGoOn) yield { segment, index: start + index };
    }
    if (start + reach >= text.length) return;
    // A segment as long as the stretch: only a longer stretch can show its end.
    reach = last === 0 ? 2 * reach : STRETCH_LENGTH;
    start += last;
  }
}
