/** Joins words whose letters were set apart, in any script: "k i l l", "f.u.c.k", "и-д-и-о-т". Knows letters, not what they say. */
import {
  isKnownWord,
  isMaskedWord,
  isVeryCommonWord,
  matchCommonWord,
  matchMaskedWord,
} from '../words/familiar-words.js';
import { splitIntoWords } from '../words/split-words.js';
import { leetPattern, likeliestLetters } from './leetspeak.js';
import { PlacedText, type Rewriting } from '../placed-text.js';
import { NOISE, NOISE_AMONG_LATIN, noiseIn, type Noise } from './symbols.js';
import { BEGINS_WORD, LETTER, UNSPACED } from '../words/characters.js';

// Single letters (or signs for them) with the same few characters between them. Letters and gaps share no character and the
// quantifiers are bounded, so that matching takes linear time.
const SIGNS = '@$!\\|+¢€£';
const MOST_SPACES = 16;
/** Within a set, with the flag v: letters of scripts whose words are parted by spaces. */
const SPACED_LETTER = `[\\p{L}--${UNSPACED}]`;

interface SpacedRuns {
  readonly runs: RegExp;
  readonly signedRuns: RegExp;
  readonly units: RegExp;
  /** A gap that is made of nothing else. */
  readonly symbols: RegExp;
}

function spacedRunsAmong({ set }: Noise): SpacedRuns {
  const unit = `(?:[[${SPACED_LETTER}--${set}]0-9${SIGNS}]\\p{M}{0,4})`;
  const letter = `[[${BEGINS_WORD}@$]--${set}]`;
  const between = `[[[^${BEGINS_WORD}\\p{M}\\s'’]${set}]--[A-Za-z0-9${SIGNS}\\u20E3]]`;
  const gap = `(?:\\s{1,${MOST_SPACES}}|(?:\\s|${between})['’](?:\\s|${between})|\\s?(?:${between}\\p{M}?){1,8}(?:\\s{1,4}${between}{0,4})?)`;
  const sign = `\\s?[0-9${SIGNS}]{1,3}\\s?`;
  const before = `(?<!${letter}\\p{M}?|${letter}['’])`;
  const after = `(?!['’]?${letter})`;
  return {
    runs: new RegExp(`${before}${unit}(?:${gap}${unit}${after}){2,}`, 'gv'),
    // k+i+l+l: what can be a letter between letters.
    signedRuns: new RegExp(`${before}[A-Za-z](${sign})[A-Za-z](?:\\1[A-Za-z])+${after}`, 'gv'),
    units: new RegExp(unit, 'gv'),
    symbols: new RegExp(`^(?:${set}|[\\p{S}\\uFE0E\\uFE0F\\u200D])+$`, 'v'),
  };
}

const AMONG_LATIN = spacedRunsAmong(NOISE_AMONG_LATIN);
const ANYWHERE = spacedRunsAmong(NOISE);

/** A letter of a script without spaces, with its marks, and spaces before the next one: nobody writes three like that. */
const UNSPACED_LETTER = `(?:${UNSPACED}\\p{M}*)`;
const UNSPACED_RUNS = new RegExp(
  `(?<![\\p{L}\\p{M}])${UNSPACED_LETTER}(?:[ .·*\\-_]{1,3}${UNSPACED_LETTER}(?![\\p{L}\\p{M}])){2,}`,
  'gu',
);
const HAS_UNSPACED = new RegExp(UNSPACED, 'u');
const IN_WORDS = '\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lo}\\p{Nd}';
/** Letters that are set apart have such a one among them. To look for it first takes half the time. */
const SINGLE_LETTER = new RegExp(`[^${IN_WORDS}][^\\s\\p{M}]\\p{M}{0,4}[^${IN_WORDS}]`, 'u');
const GAPS = /[ .·*\-_]+/gu;

/** The text with spaced-out words joined. Initials, option lists and formulas stay apart. */
export function joinSpacedLetters(placed: PlacedText, noise = noiseIn(placed.text)): PlacedText {
  const { runs, signedRuns, ...parts } = noise === NOISE_AMONG_LATIN ? AMONG_LATIN : ANYWHERE;
  const unspaced = HAS_UNSPACED.test(placed.text)
    ? placed.replace(UNSPACED_RUNS, (run) => new PlacedText(run).replace(GAPS, ''))
    : placed;
  const unsigned = unspaced.replace(
    signedRuns,
    (run, _, [sign = '']) => readLetters(run.replaceAll(sign, ''), run) ?? run,
  );
  if (noise === NOISE && !SINGLE_LETTER.test(unsigned.text)) return unsigned;
  return unsigned.replace(runs, (run) => joinRun(run, parts));
}

interface SpacedWord {
  readonly letters: string;
  /** With its gaps. */
  readonly asWritten: string;
  /** What comes before it. */
  readonly border: string;
}

function joinRun(run: string, { units, symbols }: Pick<SpacedRuns, 'units' | 'symbols'>): Rewriting {
  const letters = run.match(units) ?? [];
  const gaps = run.split(units).slice(1, -1);
  const gap = mostFrequent(gaps);
  // "D, I, E": a list; "a + b * c": a formula.
  const isShort = letters.length < SPELLED_OUT_LETTERS;
  if (gap.startsWith(',') || kindsOf(gaps) > (isShort ? 1 : MOST_KINDS)) return run;
  if (isShort && FEWER_TELL_NOTHING.test(run)) return run;
  if (letters.length === MIN_LETTERS && new Set(gaps).size > 1) return run;
  const words = wordsOf(letters, gaps);
  const hasBorders = words.some(({ border }) => border !== '' && borderWithout(gap, border).trim() === '');
  const read = words.map(({ letters, asWritten }) => readLetters(letters, asWritten, !hasBorders));
  // Beside a word that was set apart, another one is so as well.
  const areSpacedOut = read.some((word) => word !== undefined) || (words.length > 1 && areSpelledOut(letters));
  if (!areSpacedOut) return run;
  return new PlacedText(run).rewrite(
    words.flatMap(({ letters, asWritten, border }, index): [string, Rewriting][] => {
      const word = read[index] ?? (LETTERS_ONLY.test(letters) || symbols.test(gap) ? letters : asWritten);
      return [
        [border, borderWithout(gap, border)],
        [asWritten, word === letters ? gathered(asWritten, letters) : word],
      ];
    }),
  );
}

/** Each letter keeps its place: another step may part them again. */
function gathered(asWritten: string, letters: string): PlacedText {
  const pieces: [string, string][] = [];
  let reached = 0;
  for (const letter of letters) {
    const at = asWritten.indexOf(letter, reached);
    pieces.push([asWritten.slice(reached, at), ''], [letter, letter]);
    reached = at + letter.length;
  }
  return new PlacedText(asWritten).rewrite([...pieces, [asWritten.slice(reached), '']]);
}

const MIN_LETTERS = 3;
const APOSTROPHE = /^.['’].$/su;

/** Of `т.ы. .и.д.и.о.т` the dots around the space part letters too. */
function borderWithout(gap: string, border: string): string {
  if (APOSTROPHE.test(border)) return border.charAt(1);
  if (gap === '' || WHITESPACE.test(gap) || !WHITESPACE.test(border)) return border;
  const after = border.startsWith(gap) ? border.slice(gap.length) : border;
  return after.endsWith(gap) ? after.slice(0, -gap.length) : after;
}

/** In Hangul and the scripts of India a letter is a syllable, and so a word of its own often. */
const FEWER_TELL_NOTHING =
  /[\p{sc=Hang}\p{sc=Deva}\p{sc=Beng}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Gujr}\p{sc=Guru}\p{sc=Sinh}]/u;

const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u;
/** Gaps of random widths say nothing of where words end. */
const LEAST_AVERAGE_LENGTH = 2;

function wordsOf(letters: readonly string[], gaps: readonly string[]): SpacedWord[] {
  const words = cutAt(letters, gaps, borderTest(gaps));
  return letters.length < LEAST_AVERAGE_LENGTH * words.length ? cutAt(letters, gaps, () => false) : words;
}

function cutAt(letters: readonly string[], gaps: readonly string[], isBorder: (gap: string) => boolean): SpacedWord[] {
  const words: SpacedWord[] = [];
  let word: SpacedWord = { letters: letters[0] ?? '', asWritten: letters[0] ?? '', border: '' };
  gaps.forEach((gap, index) => {
    const letter = letters[index + 1] ?? '';
    if (isBorder(gap)) {
      words.push(word);
      word = { letters: letter, asWritten: letter, border: gap };
    } else {
      word = {
        ...word,
        letters: word.letters + letter,
        asWritten: word.asWritten + gap + letter,
      };
    }
  });
  words.push(word);
  return words;
}

const WHITESPACE = /\s/u;

/**
 * Between words the gap is wider than between letters, has no punctuation where that has some or a space where that has none, or breaks
 * the line.
 */
function borderTest(gaps: readonly string[]): (gap: string) => boolean {
  const usual = mostFrequent(gaps);
  const isClose = !WHITESPACE.test(usual);
  const isPunctuated = usual.trim() !== '';
  const inWords = isClose ? gaps.filter((gap) => !WHITESPACE.test(gap)) : gaps;
  const narrowest = inWords.reduce((least, gap) => Math.min(least, gap.length), Number.POSITIVE_INFINITY);
  const allBreakLines = gaps.every((gap) => gap.includes('\n'));
  return (gap) =>
    gap.length > narrowest ||
    (isClose && WHITESPACE.test(gap)) ||
    (isPunctuated && gap.trim() === '') ||
    (!allBreakLines && gap.includes('\n'));
}

/** Gaps that part letters are of one kind, and of two where those are of words. */
const MOST_KINDS = 2;

function kindsOf(gaps: readonly string[]): number {
  return new Set(gaps.map((gap) => gap.trim().charAt(0)).filter((sign) => sign !== '')).size;
}

/** The first of those that come most often. */
function mostFrequent(gaps: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const gap of gaps) counts.set(gap, (counts.get(gap) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), ['', 0])[0];
}

const DOTTED_CAPITALS = /^\p{Lu}(?:\.\s*\p{Lu})+$/u;
// Shorter runs are joined only where they spell a listed word: "a b c" is a list of options.
const MIN_UNLISTED_LETTERS = 4;
/** So many letters one by one are a text that is spelled out, whatever they say. */
const SPELLED_OUT_LETTERS = 7;
/** Of `splitIntoWords`. */
const MOST_COST = 3.6;

/**
 * @param letters what the run spells, without its gaps
 * @param asWritten the same with its gaps
 * @param isWhole whether nothing told where words end
 * @returns the words that are spelled; undefined where the letters stand for themselves
 */
function readLetters(letters: string, asWritten: string, isWhole = true): string | undefined {
  const count = Array.from(letters).length;
  if (count < MIN_LETTERS) return undefined;
  const known = listedWord(letters, count);
  // U.S.A., N.O.W.: an acronym, unless it spells what people hide.
  if (DOTTED_CAPITALS.test(asWritten)) return known !== undefined && isMaskedWord(known) ? known : undefined;
  if (known !== undefined) return known;
  const plain = lettersFor(letters);
  if (plain === undefined || count < MIN_UNLISTED_LETTERS) return undefined;
  const { words, cost } = splitIntoWords(plain);
  const isRead =
    cost <= MOST_COST ||
    words.some((word) => isMaskedWord(word) && word.length >= MIN_UNLISTED_LETTERS) ||
    areSpelledOut(Array.from(plain));
  if (!isRead) return undefined;
  return isWhole ? words.join(' ') : plain;
}

/** Many letters, and no list of letters or of results: not in the order of the alphabet, not in capitals alone. */
function areSpelledOut(letters: readonly string[]): boolean {
  if (letters.length < SPELLED_OUT_LETTERS || new Set(letters).size < 4) return false;
  const inOrder = letters.filter((letter, at) => letter.codePointAt(0) === (letters[at - 1]?.codePointAt(0) ?? 0) + 1);
  return 2 * inOrder.length < letters.length && letters.some((letter) => letter !== letter.toUpperCase());
}

function listedWord(letters: string, count: number): string | undefined {
  // "k y u" of three words in a row: three letters are a word in too many languages.
  const isListed = count > MIN_LETTERS ? isKnownWord(letters) : isMaskedWord(letters) || isVeryCommonWord(letters);
  if (isListed) return letters;
  if (!LETTER.test(letters)) return undefined;
  const pattern = leetPattern(letters) ?? [];
  return matchMaskedWord(pattern) ?? (count > MIN_LETTERS ? matchCommonWord(pattern) : undefined);
}

/** With letters for signs; undefined where most of it are signs: "5 - 3 - 2 - x" is a sum. */
function lettersFor(spelled: string): string | undefined {
  const known = spelled.match(/\p{L}/gu)?.length ?? 0;
  if (known * 2 < spelled.length || known < MIN_LETTERS) return undefined;
  return likeliestLetters(spelled);
}
