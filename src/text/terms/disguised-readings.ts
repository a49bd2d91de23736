/**
 * Other readings of a text, for words that are on no list of ours, so that normalise.ts leaves them disguised. They are looked up
 * among an operator's terms and count nowhere else: what is no term is not changed.
 */
import { cyrillicLookAlike, latinLookAlike } from '../disguises/confusables.js';
import { lettersOfSign } from '../disguises/leetspeak.js';
import { isAddress, isQuantity } from '../disguises/protected-tokens.js';
import { IN_WORD, LETTER, LETTERS, TOKENS } from '../words/characters.js';

const SIGN = /[0-9@$!|+(€£¥¢©®§]/u;
const SIGNS = /[0-9@$!|+(€£¥¢©®§]/gu;
/** From the first to the last letter, digit, or sign that letters begin or end with. */
const CORE = new RegExp(`[${IN_WORD}@$€£](?:.*[${IN_WORD}@$€£])?`, 'su');
/** Shorter ones are sizes, marks and model names as often as words. */
const SHORTEST = 3;
const LONGEST_TOKEN = 100;

/**
 * The text with letters for the digits and signs in words that have both, once or twice: a 1 is an i or an l. None where there is no such
 * word. Every offset stays what it is.
 */
export function leetReadings(text: string): readonly string[] {
  if (!SIGN.test(text)) return [];
  const first = withLetters(text, 0);
  if (first === text) return [];
  const second = withLetters(text, 1);
  return second === first ? [first] : [first, second];
}

function withLetters(text: string, choice: number): string {
  return text.replace(TOKENS, (token) => {
    if (token.length > LONGEST_TOKEN || !SIGN.test(token) || !LETTER.test(token) || isAddress(token)) return token;
    return token.replace(CORE, (core) => {
      const signs = core.match(SIGNS)?.length ?? 0;
      const letters = core.match(LETTERS)?.length ?? 0;
      if (signs === 0 || core.length < SHORTEST || 2 * letters < signs || isQuantity(core)) return core;
      return core.replace(SIGNS, (sign) => {
        const choices = lettersOfSign(sign, core) ?? sign;
        return choices.charAt(choice) || choices.charAt(0);
      });
    });
  });
}

/** A word of Latin and Cyrillic letters, in folded units, as a word of either alone. */
export function singleScriptReadings(units: readonly number[]): readonly number[][] {
  return [
    units.map((unit) => latinLookAlike(String.fromCharCode(unit))?.toLowerCase().charCodeAt(0) ?? unit),
    units.map((unit) => cyrillicLookAlike(String.fromCharCode(unit))?.charCodeAt(0) ?? unit),
  ];
}

/** A word with letters three times in a row and more, in folded units, as one with them once or twice. */
export function unstretchedReadings(units: readonly number[]): readonly number[][] {
  const withRunsOf = (most: number): number[] => {
    const kept: number[] = [];
    for (let at = 0; at < units.length;) {
      const unit = units[at] ?? 0;
      let end = at;
      while (units[end] === unit) end += 1;
      const length = end - at >= 3 ? most : end - at;
      for (let count = 0; count < length; count += 1) kept.push(unit);
      at = end;
    }
    return kept;
  };
  return [withRunsOf(1), withRunsOf(2)];
}

const LATIN_ALPHABET = Array.from('abcdefghijklmnopqrstuvwxyz', unitOf);
const CYRILLIC_ALPHABET = Array.from('абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ', unitOf);

/** The letters that may stand where one is masked: of the script of a folded unit beside it. */
export function maskedLetters(neighbour: number): readonly number[] {
  if (neighbour >= 0x61 && neighbour <= 0x7a) return LATIN_ALPHABET;
  return neighbour >= 0x400 && neighbour <= 0x52f ? CYRILLIC_ALPHABET : [];
}

function unitOf(letter: string): number {
  return letter.charCodeAt(0);
}
