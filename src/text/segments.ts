/**
 * Cuts a text into the segments that the network judges one by one: sentences, parts of long ones, and what
 * is said in another script. Knows punctuation, not languages, labels or tokens. Own rules in place of Intl.Segmenter, whose cuts follow the ICU of its Node.
 */
import { bordersOfScripts } from './scripts.js';
import { SENTENCE_MARKS, TOKENS, UNSPACED, UNSPACED_SENTENCE_MARKS } from './words/characters.js';
import { readWords } from './tables.js';

/** UTF-16 offsets into the text; surrounding whitespace is not part of a segment. */
export interface Segment {
  readonly start: number;
  readonly end: number;
}

const MAX_SEGMENT_LENGTH = 240;
/** Scripts without spaces say as much in half as many letters. */
const MAX_UNSPACED_LENGTH = 120;
/** Bounds the work for a text of thousands of tiny sentences: so many in a text of any length. */
const MAX_SEGMENTS = 256;
/** Neighbours this short say little alone ("You. Are. An. Idiot."): they are joined, up to a short sentence's length. */
const TINY_LENGTH = 12;
const JOINED_TINY_LENGTH = 48;
/** Words as long as this are noise or an address. Noise stands apart, so that a sentence beside it is read without it. */
const NOISE_LENGTH = 40;

const CLOSERS = '"\'”’)\\]}»›」』】）*_';
const BORDER = new RegExp(`[\\n\\r\\u2028\\u2029]+|[${SENTENCE_MARKS}${UNSPACED_SENTENCE_MARKS}]+[${CLOSERS}]*`, 'gu');
const LINE_BREAK = /^[\n\r\u2028\u2029]/u;
const HAS_UNSPACED_MARK = new RegExp(`[${UNSPACED_SENTENCE_MARKS}]`, 'u');
const SPACE = /\s/u;
const LOWERCASE_FOLLOWS = /^\s+["'“‘(]?\p{Ll}/u;

/** In lower case and without the full stop behind them, which ends no sentence. */
const ABBREVIATIONS = new Set(readWords(new URL('words/dotted-abbreviations.txt', import.meta.url)));
const LONGEST_ABBREVIATION = 12;
const INITIAL = /^(?!I$)\p{Lu}$/u;
const LIST_NUMBER = /^\d{1,3}$/u;

const CLAUSE_END = /[,;:—–](?=\s)|[，；：、،؛]/gu;
const WORD_END = /\s+/gu;
// What has nothing else has no content of its own. Emoji (So) have.
const CONTENT = /[^\s\p{P}\p{Sm}\p{Sc}\p{Sk}]/u;
const HAS_UNSPACED = new RegExp(UNSPACED, 'u');
const UNSPACED_LETTERS = new RegExp(UNSPACED, 'gu');
const ADDRESS = /:\/\/|^www\.|[/@]/iu;
const CONTINUES_A_CHARACTER = /^(?:[\uDC00-\uDFFF]|\u200D|\uFE0E|\uFE0F|\p{M}|\p{EMod})/u;
const MOST_CONTINUATIONS = 16;

/**
 * The segments of a text in text order. They cover all of it but whitespace and do not overlap; each has at most
 * MAX_SEGMENT_LENGTH units, but where there would be more than MAX_SEGMENTS of them.
 *
 * Pure, never throws (any sequence of UTF-16 units will do), takes time linear in the length of the text.
 */
export function segmentsOf(text: string): Segment[] {
  const sentences = withoutEmpty(text, sentencesOf(text));
  const parts = sentences
    .flatMap((sentence) => withScriptsApart(text, sentence))
    .flatMap((part) => withNoiseApart(text, part))
    .flatMap((part) => cut(text, part));
  return bounded(joinTiny(text, parts), text.length);
}

function sentencesOf(text: string): Segment[] {
  const sentences: Segment[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(BORDER)) {
    const end = index + mark.length;
    if (!endsSentence(text, start, index, mark)) continue;
    addTrimmed(sentences, text, start, end);
    start = end;
  }
  addTrimmed(sentences, text, start, text.length);
  return sentences;
}

/** Whether the mark at `at` ends the sentence that began at `start`. */
function endsSentence(text: string, start: number, at: number, mark: string): boolean {
  if (LINE_BREAK.test(mark) || HAS_UNSPACED_MARK.test(mark)) return true;
  const end = at + mark.length;
  if (end < text.length && !SPACE.test(text.charAt(end))) return false;
  if (/^(?:\.\.+|…+)$/u.test(mark)) return !LOWERCASE_FOLLOWS.test(text.slice(end, end + TINY_LENGTH));
  if (mark !== '.') return true;
  const before = text.slice(Math.max(start, at - LONGEST_ABBREVIATION), at);
  const word = before.slice(before.search(/\S*$/u)).replace(/^["'“‘(]+/u, '');
  if (ABBREVIATIONS.has(word.toLowerCase()) || INITIAL.test(word)) return false;
  return !(LIST_NUMBER.test(word) && text.slice(start, at).trim() === word);
}

function addTrimmed(segments: Segment[], text: string, start: number, end: number): void {
  let first = start;
  let last = end;
  while (first < last && SPACE.test(text.charAt(first))) first += 1;
  while (last > first && SPACE.test(text.charAt(last - 1))) last -= 1;
  if (first < last) segments.push({ start: first, end: last });
}

/** Joins what is punctuation alone to the sentence before it, or at the beginning to the one after it. */
function withoutEmpty(text: string, sentences: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  let isEmpty = false;
  for (const sentence of sentences) {
    const previous = joined.at(-1);
    const hasContent = CONTENT.test(text.slice(sentence.start, sentence.end));
    if (previous !== undefined && (isEmpty || !hasContent)) {
      joined[joined.length - 1] = { start: previous.start, end: sentence.end };
      isEmpty &&= !hasContent;
    } else {
      joined.push(sentence);
      isEmpty = !hasContent;
    }
  }
  return joined;
}

function withScriptsApart(text: string, { start, end }: Segment): Segment[] {
  const parts: Segment[] = [];
  let from = start;
  for (const border of bordersOfScripts(text.slice(start, end))) {
    addTrimmed(parts, text, from, start + border);
    from = start + border;
  }
  addTrimmed(parts, text, from, end);
  return parts;
}

/** Parts a sentence where words of NOISE_LENGTH and more begin and end. */
function withNoiseApart(text: string, sentence: Segment): Segment[] {
  if (sentence.end - sentence.start < NOISE_LENGTH) return [sentence];
  const parts: Segment[] = [];
  let start = sentence.start;
  let wasNoise: boolean | undefined;
  for (const { 0: word, index } of text.slice(sentence.start, sentence.end).matchAll(TOKENS)) {
    const isNoise = word.length >= NOISE_LENGTH && !ADDRESS.test(word) && !HAS_UNSPACED.test(word);
    if (wasNoise !== undefined && isNoise !== wasNoise) {
      addTrimmed(parts, text, start, sentence.start + index);
      start = sentence.start + index;
    }
    wasNoise = isNoise;
  }
  addTrimmed(parts, text, start, sentence.end);
  return parts;
}

/** Parts no longer than a long sentence is: at the end of a clause, else of a word, else of a character, all about as long. */
function cut(text: string, sentence: Segment): Segment[] {
  const parts: Segment[] = [];
  let { start } = sentence;
  const longest = longestPart(text.slice(start, sentence.end));
  while (sentence.end - start > longest) {
    const left = sentence.end - start;
    const even = Math.ceil(left / Math.ceil(left / longest));
    const stretch = text.slice(start, start + longest);
    const end =
      start +
      (lastEnd(stretch, CLAUSE_END, even / 2, longest) ??
        lastEnd(stretch, WORD_END, even / 2, even) ??
        characterEnd(stretch, even));
    addTrimmed(parts, text, start, end);
    start = end;
  }
  addTrimmed(parts, text, start, sentence.end);
  return parts;
}

function longestPart(sentence: string): number {
  if (sentence.length <= MAX_UNSPACED_LENGTH) return MAX_SEGMENT_LENGTH;
  const unspaced = sentence.match(UNSPACED_LETTERS)?.length ?? 0;
  return 2 * unspaced > sentence.length ? MAX_UNSPACED_LENGTH : MAX_SEGMENT_LENGTH;
}

/** Where the last match within a stretch ends, if that is after `least` and not after `most`. */
function lastEnd(stretch: string, border: RegExp, least: number, most: number): number | undefined {
  let found: number | undefined;
  for (const { 0: match, index } of stretch.matchAll(border)) {
    const end = index + match.length;
    if (end > least && end <= most) found = end;
  }
  return found;
}

/** The last offset not after `most` that is between two characters as people see them, as far as that is near. */
function characterEnd(stretch: string, most: number): number {
  for (let end = most; end > most - MOST_CONTINUATIONS; end -= 1) {
    if (!CONTINUES_A_CHARACTER.test(stretch.slice(end, end + 2)) && stretch.charAt(end - 1) !== '\u200D') return end;
  }
  return most;
}

/** Joins runs of tiny neighbours, and leaves those beside a longer one alone: a severe word must not drown in it. */
function joinTiny(text: string, segments: readonly Segment[]): Segment[] {
  return joinWhile(segments, (last, next) => isTiny(text, last) && isTiny(text, next), JOINED_TINY_LENGTH);
}

function isTiny(text: string, { start, end }: Segment): boolean {
  return end - start <= TINY_LENGTH && !HAS_UNSPACED.test(text.slice(start, end));
}

/** Joins neighbours until there are at most MAX_SEGMENTS: of any two that are left, both together exceed what may be joined. */
function bounded(segments: Segment[], length: number): Segment[] {
  if (segments.length <= MAX_SEGMENTS) return segments;
  return joinWhile(segments, () => true, Math.ceil((2 * length) / (MAX_SEGMENTS - 1)));
}

/** @param mayJoin asked of two neighbours as they were before they were joined to others */
function joinWhile(
  segments: readonly Segment[],
  mayJoin: (last: Segment, next: Segment) => boolean,
  maxLength: number,
): Segment[] {
  const result: Segment[] = [];
  let previous: Segment | undefined;
  for (const next of segments) {
    const joined = result.at(-1);
    if (joined && previous && next.end - joined.start <= maxLength && mayJoin(previous, next)) {
      result[result.length - 1] = { start: joined.start, end: next.end };
    } else {
      result.push(next);
    }
    previous = next;
  }
  return result;
}
