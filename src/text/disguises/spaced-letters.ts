/** Joins words whose letters were set apart: "k i l l", "f.u.c.k", "i-d-i-o-t", "fu ck". Knows letters, not what they say. */
import {
  isCommonWord,
  isFamiliarWord,
  isLeftOver,
  isMaskedWord,
  isEnglishText,
  isEnglishWord,
  looksEnglish,
  matchCommonWord,
  matchMaskedWord,
  splitIntoWords,
} from '../words/familiar-words.js';
import { leetPattern } from './leetspeak.js';
import { PlacedText } from '../placed-text.js';
import { NOISE, NOISE_AMONG_LATIN, noiseIn, type Noise } from './symbols.js';
import { BEGINS_WORD, IN_WORD } from '../words/characters.js';

// Single letters (or signs for them) with the same few characters between them. Letters and gaps share no character and the
// quantifiers are bounded, so that matching takes linear time.
const SIGNS = '@$!\\|+¢€£';
const UNIT = `[A-Za-z0-9${SIGNS}]`;
const UNITS = new RegExp(UNIT, 'gv');
const MOST_SPACES = 16;

interface SpacedRuns {
  readonly runs: RegExp;
  readonly signedRuns: RegExp;
  /** A gap that is made of nothing else. */
  readonly symbols: RegExp;
}

function spacedRunsAmong({ set }: Noise): SpacedRuns {
  const letter = `[[${BEGINS_WORD}@$]--${set}]`;
  const between = `[[[^${BEGINS_WORD}\\s'’]${set}]--[A-Za-z0-9${SIGNS}\\u20E3]]`;
  const gap = `(?:\\s{1,${MOST_SPACES}}|\\s?${between}{1,8}\\s{0,2})`;
  const sign = `\\s?[0-9${SIGNS}]{1,3}\\s?`;
  const before = `(?<!${letter}|${letter}['’])`;
  const after = `(?!['’]?${letter})`;
  return {
    runs: new RegExp(`${before}${UNIT}(?:${gap}${UNIT}${after}){2,}`, 'gv'),
    // k+i+l+l: what can be a letter between letters.
    signedRuns: new RegExp(`${before}[A-Za-z](${sign})[A-Za-z](?:\\1[A-Za-z])+${after}`, 'gv'),
    symbols: new RegExp(`^(?:${set}|[\\p{S}\\uFE0E\\uFE0F\\u200D])+$`, 'v'),
  };
}

const AMONG_LATIN = spacedRunsAmong(NOISE_AMONG_LATIN);
const ANYWHERE = spacedRunsAmong(NOISE);

/** The text with spaced-out words joined. Initials, option lists and formulas stay apart. */
export function joinSpacedLetters(placed: PlacedText, noise = noiseIn(placed.text)): PlacedText {
  const { runs, signedRuns, symbols } = noise === NOISE_AMONG_LATIN ? AMONG_LATIN : ANYWHERE;
  const withoutSigns = placed.replace(signedRuns, (run, _, [sign = '']) => readLetters(run.replaceAll(sign, ''), run));
  return withoutSigns.replace(runs, (run) => joinRun(run, symbols));
}

interface SpacedWord {
  readonly letters: string;
  /** With its gaps. */
  readonly asWritten: string;
  readonly firstGap: string;
  /** What comes before it. */
  readonly border: string;
}

function joinRun(run: string, symbols: RegExp): PlacedText {
  const words = wordsOf(run);
  const read = words.map(({ letters, asWritten }) => readLetters(letters, asWritten));
  const isSpacedOut = words.some(({ asWritten }, index) => read[index] !== asWritten);
  return new PlacedText(run).rewrite(
    words.flatMap(({ letters, asWritten, firstGap, border }, index): [string, string][] => {
      // Beside a word that was set apart, another one is so as well.
      const alsoJoined =
        isSpacedOut &&
        LETTERS_ONLY.test(letters) &&
        (symbols.test(firstGap) || (letters.length === 2 && isCommonWord(letters)));
      const word = alsoJoined && read[index] === asWritten ? letters : (read[index] ?? asWritten);
      return [
        [border, border],
        [asWritten, word],
      ];
    }),
  );
}

const LETTERS_ONLY = /^[A-Za-z]+$/;
/** Gaps of random widths say nothing of where words end. */
const LEAST_AVERAGE_LENGTH = 2;

function wordsOf(run: string): SpacedWord[] {
  const letters = run.match(UNITS) ?? [];
  const gaps = run.split(UNITS).slice(1, -1);
  const isBorder = borderTest(gaps);
  const words = cutAt(letters, gaps, isBorder);
  return letters.length < LEAST_AVERAGE_LENGTH * words.length ? cutAt(letters, gaps, () => false) : words;
}

function cutAt(letters: readonly string[], gaps: readonly string[], isBorder: (gap: string) => boolean): SpacedWord[] {
  const words: SpacedWord[] = [];
  let word: SpacedWord = { letters: letters[0] ?? '', asWritten: letters[0] ?? '', firstGap: '', border: '' };
  gaps.forEach((gap, index) => {
    const letter = letters[index + 1] ?? '';
    if (isBorder(gap)) {
      words.push(word);
      word = { letters: letter, asWritten: letter, firstGap: '', border: gap };
    } else {
      word = {
        ...word,
        letters: word.letters + letter,
        asWritten: word.asWritten + gap + letter,
        firstGap: word.firstGap === '' ? gap : word.firstGap,
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
  const isClose = !WHITESPACE.test(mostFrequent(gaps));
  const inWords = isClose ? gaps.filter((gap) => !WHITESPACE.test(gap)) : gaps;
  const narrowest = inWords.reduce((least, gap) => Math.min(least, gap.length), Number.POSITIVE_INFINITY);
  const somePunctuated = gaps.some((gap) => gap.trim() !== '');
  const allBreakLines = gaps.every((gap) => gap.includes('\n'));
  return (gap) =>
    gap.length > narrowest ||
    (isClose && WHITESPACE.test(gap)) ||
    (somePunctuated && gap.trim() === '') ||
    (!allBreakLines && gap.includes('\n'));
}

/** The first of those that come most often. */
function mostFrequent(gaps: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const gap of gaps) counts.set(gap, (counts.get(gap) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), ['', 0])[0];
}

const DOTTED_CAPITALS = /^[A-Z](?:\.\s*[A-Z])+$/;
const MIN_LETTERS = 3;
// Shorter runs are joined only where they spell a listed word: "a b c" is a list of options.
const MIN_UNLISTED_LETTERS = 4;

/**
 * @param letters what the run spells, without its gaps
 * @param asWritten the same with its gaps, returned where the letters spell nothing
 */
function readLetters(letters: string, asWritten: string): string {
  if (letters.length < MIN_LETTERS) return asWritten;
  // "D, I, E": a list of three.
  if (letters.length === MIN_LETTERS && /,\s/u.test(asWritten)) return asWritten;
  const known = listedWord(letters);
  // U.S.A., N.O.W.: an acronym, unless it spells what people hide.
  if (DOTTED_CAPITALS.test(asWritten)) return known !== undefined && isMaskedWord(known) ? known : asWritten;
  if (known !== undefined) return known;
  const plain = lettersFor(letters);
  if (plain === undefined || plain.length < MIN_UNLISTED_LETTERS) return asWritten;
  const words = splitIntoWords(plain);
  const averageLength = plain.length / words.length;
  if (!words.some(isLeftOver) && averageLength >= 2) return words.join(' ');
  // Three letters stand in many a harmless word: "ass" in "harassing" with a letter too many.
  if (words.some((word) => isMaskedWord(word) && word.length >= MIN_UNLISTED_LETTERS)) return words.join(' ');
  return looksEnglish(plain) ? plain : asWritten;
}

function listedWord(letters: string): string | undefined {
  if (isFamiliarWord(letters) || (letters.length >= MIN_UNLISTED_LETTERS && isEnglishWord(letters))) return letters;
  if (!/[a-z]/i.test(letters)) return undefined;
  const pattern = leetPattern(letters) ?? [];
  return matchMaskedWord(pattern) ?? (letters.length >= MIN_UNLISTED_LETTERS ? matchCommonWord(pattern) : undefined);
}

/** With letters for signs; undefined where most of it are signs: "5 - 3 - 2 - x" is a sum. */
function lettersFor(spelled: string): string | undefined {
  const known = spelled.replace(/[^A-Za-z]/g, '').length;
  if (known * 2 < spelled.length || known < MIN_LETTERS) return undefined;
  return Array.from(spelled, (character) =>
    /[A-Za-z]/.test(character) ? character : (leetPattern(character)?.[0]?.charAt(0) ?? character),
  ).join('');
}

const BROKEN_PAIR = new RegExp(
  `(?<![${IN_WORD}'’\`´])([A-Za-z]{1,10}) (?=([A-Za-z]{1,10})(?!['’\`´]?[${IN_WORD}]))`,
  'gu',
);

/** Fewer do not say which language they are of. */
const FOUR_WORDS = /\p{Script=Latin}(?:\P{Script=Latin}+\p{Script=Latin}+){3}/u;

/** "fu ck", "b itch": a pair that spells a word people hide and is not itself two words ("dumb ass" stays). */
export function joinBrokenWords(placed: PlacedText): PlacedText {
  // Dutch "nu de", German "hat er".
  let mayBeWords: boolean | undefined;
  return placed.replace(BROKEN_PAIR, (pair, _, [first = '', second = '']) => {
    if (!isMaskedWord(first + second) || (isFamiliarWord(first) && isFamiliarWord(second))) return pair;
    mayBeWords ??= FOUR_WORDS.test(placed.text) && !isEnglishText(placed.text);
    if (mayBeWords && !isFragment(first) && !isFragment(second)) return pair;
    // "Model S ex VAT", "vitamin D ie".
    if (/^[A-Z]$/.test(first) && second.length <= 2) return pair;
    // "pen is", "kids s hit": beside an ordinary word only what cannot be a word, as in "sh it", proves a cut.
    if (isCommonWord(first) && !isFragment(second)) return pair;
    if (isCommonWord(second) && !isFragment(first)) return pair;
    return first;
  });
}

function isFragment(letters: string): boolean {
  return letters.length > 1 && !/[aeiouy]/i.test(letters);
}
