/**
 * Says by Unicode's properties what is a symbol and not a letter, and parts symbols from the words that they touch: a tokenizer reads a
 * word with an unknown character in it as one unknown token. Knows words, not what they say.
 */
import { isKnownWord, isMaskedWord } from '../words/familiar-words.js';
import { PlacedText, type Rewriting } from '../placed-text.js';
import { MODIFIER, plainReading, STYLED_LETTER } from './styled-letters.js';
import { BEGINS_WORD, TOKENS, UNSPACED } from '../words/characters.js';

const LATIN = '[\\p{scx=Latn}&&\\p{L}]';
const SHARED_BY_SCRIPTS = '[\\p{scx=Zyyy}\\p{scx=Zinh}]';

/**
 * A set for regular expressions with the flag v. ASCII is for leetspeak.ts, and ´ is written for an apostrophe; what is always drawn as an
 * emoji stands apart from words for every tokenizer, but for skin tones.
 */
export const SYMBOL = `[[[\\p{S}\\p{No}\\p{Co}\\p{Cn}]--[\\x00-\\x7F\\xB4]--\\p{Emoji_Presentation}]\\p{EMod}${MODIFIER}]`;
/** As SYMBOL, in a text in Latin letters, where those of other scripts are decoration if they touch a Latin word: fuckシyou. */
const SYMBOL_AMONG_LATIN = `[${SYMBOL}[[\\p{L}\\p{M}\\p{N}]--${LATIN}--${SHARED_BY_SCRIPTS}--[\\x00-\\x7F]]]`;

export interface Noise {
  /** What counts as a symbol: a set for regular expressions with the flag v. */
  readonly set: string;
  readonly symbol: RegExp;
  readonly runs: RegExp;
  /** A letter that belongs to words. */
  readonly letter: RegExp;
  readonly twoLetters: RegExp;
  readonly lastWord: RegExp;
  readonly firstWord: RegExp;
}

function noiseOf(set: string, letters: string): Noise {
  const letter = `[${letters}--${set}]`;
  const word = `${letter}(?:${letter}|(?!${set})\\p{M})*`;
  return {
    set,
    symbol: new RegExp(set, 'v'),
    runs: new RegExp(`(${set}(?:${set}|[\\uFE0E\\uFE0F])*)`, 'v'),
    letter: new RegExp(letter, 'v'),
    twoLetters: new RegExp(`${letter}\\p{M}*${letter}`, 'v'),
    lastWord: new RegExp(`(?:${letter}|(?!${set})\\p{M})+$`, 'v'),
    firstWord: new RegExp(`^${word}`, 'v'),
  };
}

// A word of an unspaced script ends where another begins, so that a symbol in it hides nothing: 歌う♪.
export const NOISE = noiseOf(SYMBOL, `[\\p{L}--${UNSPACED}]`);
export const NOISE_AMONG_LATIN = noiseOf(SYMBOL_AMONG_LATIN, LATIN);

const BEYOND_LATIN_1 = /[^\0-\u00FF]/u;
const LATIN_LETTERS = new RegExp(LATIN, 'gv');
const OTHER = `[[\\p{L}\\p{Nd}]--${LATIN}--${SHARED_BY_SCRIPTS}--[0-9]]`;
const OTHER_LETTERS = new RegExp(OTHER, 'gv');
const TOUCHING = new RegExp(`${LATIN}${OTHER}|${OTHER}${LATIN}`, 'v');
/** So many Latin letters come on each different letter of other scripts where those are decoration and not words. */
const LATIN_PER_LETTER = 4;

/** What is a symbol in this text. A text with words of another script, Japanese with Latin names in it, has letters of two scripts. */
export function noiseIn(text: string): Noise {
  if (!BEYOND_LATIN_1.test(text) || !TOUCHING.test(text)) return NOISE;
  const others = text.match(OTHER_LETTERS) ?? [];
  const latin = text.match(LATIN_LETTERS)?.length ?? 0;
  const inRuns = others.filter((letter, index) => letter !== others[index - 1]).length;
  const areDecoration =
    others.length > 0 &&
    latin >= LATIN_PER_LETTER * new Set(others).size &&
    (latin > inRuns || new Set(others).size === 1);
  return areDecoration ? NOISE_AMONG_LATIN : NOISE;
}

/** In so many words, and no fewer than are without, symbols are decoration and say nothing. */
const FEWEST_DECORATED = 3;

function isDecorated(text: string, noise: Noise): boolean {
  let [plain, decorated] = [0, 0];
  for (const [token] of text.matchAll(TOKENS)) {
    const words = token.split(noise.runs).filter((piece) => noise.twoLetters.test(piece)).length;
    if (noise.symbol.test(token)) decorated += words;
    else plain += words;
  }
  return decorated >= FEWEST_DECORATED && decorated >= plain;
}

/** The text with its symbols parted from its words by spaces, left out where most words have one, or taken out of a word that they cut up. */
export function partSymbols(placed: PlacedText, noise = noiseIn(placed.text)): PlacedText {
  if (!noise.symbol.test(placed.text)) return placed;
  const isNothing = isDecorated(placed.text, noise);
  return placed
    .replace(STYLED_SPACED_OUT, (letters) =>
      new PlacedText(letters).replace(/\S/gu, (letter) => plainReading(letter) ?? letter),
    )
    .replace(TOKENS, (token) => (noise.symbol.test(token) ? partToken(token, noise, isNothing) : token));
}

const STYLED_LETTERS = new RegExp(`${STYLED_LETTER}(?:${STYLED_LETTER}|[\\uFE0E\\uFE0F])+`, 'gv');
const STYLED_LETTER_RUNS = new RegExp(`${STYLED_LETTER}+`, 'gv');
const STYLED_SPACED_OUT = new RegExp(`(?<!\\S)${STYLED_LETTER}(?:\\s{1,4}${STYLED_LETTER}(?!\\S))+`, 'gv');
const SIGNS_ONLY = new RegExp(`^(?:(?!${STYLED_LETTER})\\p{S})+$`, 'v');

/** @param isNothing whether symbols beside words say nothing */
function partToken(token: string, noise: Noise, isNothing: boolean): Rewriting {
  const placed = new PlacedText(token);
  if (!noise.letter.test(token)) return placed.replace(STYLED_LETTERS, (letters) => plainReading(letters) ?? letters);
  if (!noise.twoLetters.test(token)) {
    if (isNothing && !NUMBER.test(token)) {
      const pieces = token.split(noise.runs);
      return placed.rewrite(
        pieces.map((piece, index) => [piece, index % 2 === 0 ? piece : (plainReading(piece) ?? '')]),
      );
    }
    const read = placed.replace(STYLED_LETTER_RUNS, (letters) => plainReading(letters) ?? letters);
    // 20°C, x², ½t: a formula.
    return isKnownWord(read.text) ? read : token;
  }
  const pieces = token.split(noise.runs);
  const whole = pieces.filter((_, index) => index % 2 === 0);
  const isWhole =
    isCutUp(whole) &&
    !isKnownWord(pieces.map((piece, index) => (index % 2 === 0 ? piece : (plainReading(piece) ?? piece))).join(''));
  return placed.rewrite(
    pieces.map((piece, index) => {
      if (index % 2 === 0) return [piece, piece];
      return [piece, isWhole ? '' : parted(pieces, index, noise, isNothing)];
    }),
  );
}

/** Longer ones are no words, and are not looked through once for each symbol. */
const LONGEST_WORD = 64;

/** What is read in place of the symbols at `index` of the pieces of a token, between two pieces that have none. */
function parted(pieces: readonly string[], index: number, noise: Noise, isNothing: boolean): string {
  const [before = '', symbols = '', after = ''] = pieces.slice(index - 1, index + 2);
  const left = noise.lastWord.exec(before.slice(-LONGEST_WORD))?.[0] ?? '';
  const right = noise.firstWord.exec(after.slice(0, LONGEST_WORD))?.[0] ?? '';
  const reading = SIGNS_ONLY.test(symbols) ? undefined : plainReading(symbols);
  if (left === '' && right === '') return reading !== undefined && SEVERAL_LETTERS.test(reading) ? reading : symbols;
  if (reading !== undefined) {
    const read = left + reading + right;
    if (isMaskedWord(read) || (left !== '' && right !== '' && isKnownWord(read))) return reading;
    const isPartOfWord = !isKnownWord(left) && !isKnownWord(right);
    // km² stays what it is, ²km is no word.
    if (isPartOfWord && (left !== '' || !DIGITS.test(reading)))
      return right === '' && DIGITS.test(reading) ? symbols : reading;
  }
  // Parapet™
  if (right === '' && !isKnownWord(left) && plainReading(symbols) !== undefined) return symbols;
  if (isNothing) return before !== '' && STARTS_WORD.test(after) ? ' ' : '';
  return `${left === '' ? '' : ' '}${symbols}${right === '' ? '' : ' '}`;
}

const STARTS_WORD = new RegExp(`^[${BEGINS_WORD}]`, 'u');
const NUMBER = /\p{N}/u;
const DIGITS = /^\d+$/;
const SEVERAL_LETTERS = /^[A-Za-z]{2,}$/;
/** Pieces that are no words of their own, and one together. */
function isCutUp(pieces: readonly string[]): boolean {
  const present = pieces.filter((piece) => piece !== '');
  return present.length > 1 && isKnownWord(present.join('')) && !present.every(isKnownWord);
}
