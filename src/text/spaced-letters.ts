/** Joins words whose letters were set apart: "k i l l", "f.u.c.k", "i-d-i-o-t", "fu ck". Knows letters, not what they say. */
import {
  isCommonWord,
  isFamiliarWord,
  isLeftOver,
  isMaskedWord,
  isEnglishWord,
  looksEnglish,
  matchCommonWord,
  matchMaskedWord,
  splitIntoWords,
} from './familiar-words.js';
import { leetPattern } from './leetspeak.js';

// Single letters (or signs for them) with the same few characters between them. Letters and gaps share no character and the
// quantifiers are bounded, so that matching takes linear time.
const UNIT = `[A-Za-z0-9@$!|+¢€£]`;
const GAP = `(?:\\s{1,4}|\\s?[.,_*~^=:;/\\\\·•…–—-]{1,4}\\s{0,2})`;
const SPACED_RUN = new RegExp(
  `(?<![\\p{L}\\p{N}@$]|[\\p{L}\\p{N}]['’])${UNIT}(?:${GAP}${UNIT}(?!['’]?[\\p{L}\\p{N}@$])){2,}`,
  'gu',
);
const UNITS = /[A-Za-z0-9@$!|+¢€£]/gu;

/** The text with spaced-out words joined. Initials, option lists and formulas stay apart. */
export function joinSpacedLetters(text: string): string {
  return joinBrokenWords(text.replace(SPACED_RUN, joinRun));
}

function joinRun(run: string): string {
  const letters = run.match(UNITS) ?? [];
  const gaps = run.split(UNITS).slice(1, -1);
  const joined: string[] = [];
  let word = letters[0] ?? '';
  let wordText = word;
  const isBorder = borderTest(gaps);
  gaps.forEach((gap, index) => {
    const letter = letters[index + 1] ?? '';
    if (isBorder(gap)) {
      joined.push(readLetters(word, wordText), gap);
      word = letter;
      wordText = letter;
    } else {
      word += letter;
      wordText += gap + letter;
    }
  });
  joined.push(readLetters(word, wordText));
  return joined.join('');
}

/** Between words the gap is wider than between letters, has no punctuation where that has some, or breaks the line. */
function borderTest(gaps: readonly string[]): (gap: string) => boolean {
  const narrowest = Math.min(...[...new Set(gaps.map((gap) => gap.length))]);
  const somePunctuated = gaps.some((gap) => gap.trim() !== '');
  const allBreakLines = gaps.every((gap) => gap.includes('\n'));
  return (gap) =>
    gap.length > narrowest || (somePunctuated && gap.trim() === '') || (!allBreakLines && gap.includes('\n'));
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

const BROKEN_PAIR = /(?<![\p{L}\p{N}'’`´])([A-Za-z]{1,10}) (?=([A-Za-z]{1,10})(?!['’`´]?[\p{L}\p{N}]))/gu;

/** "fu ck", "b itch": a pair that spells a word people hide and is not itself two words ("dumb ass" stays). */
function joinBrokenWords(text: string): string {
  return text.replace(BROKEN_PAIR, (pair, first: string, second: string) => {
    if (!isMaskedWord(first + second) || (isFamiliarWord(first) && isFamiliarWord(second))) return pair;
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
