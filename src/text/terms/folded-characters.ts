/**
 * What a character is when terms are compared: letters without case and accents, and where words begin and end. Knows Unicode, no
 * terms.
 */
import { IN_WORD, UNSPACED } from '../words/characters.js';

/**
 * - `word`: belongs to the word that it stands in
 * - `alone`: a letter of a script without spaces between words, a word of its own for a term
 * - `symbol`: a word of its own everywhere: emoji, currencies, and the marks that names are written with (C#, AT&T)
 * - `mark`: belongs to the letter before it
 * - `gap`: parts words
 * - `unseen`: as if it were not there
 */
export type CharacterKind = 'word' | 'alone' | 'symbol' | 'mark' | 'gap' | 'unseen';

export interface FoldedCharacter {
  readonly kind: CharacterKind;
  /** What it is compared as: none of a gap, several of ß. */
  readonly units: string;
}

const UNSEEN: FoldedCharacter = { kind: 'unseen', units: '' };
const GAP: FoldedCharacter = { kind: 'gap', units: '' };

const IS_UNSPACED = new RegExp(UNSPACED, 'u');
const MARK = /\p{M}/u;
const IS_IN_WORD = new RegExp(`[${IN_WORD}\\p{Co}]`, 'u');
const SYMBOL_OF_ITS_OWN = /[\p{S}#@&%§]/u;
const SKIN_TONE = /\p{EMod}/u;
// Also the Arabic tatweel, which only draws a word out.
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Cs}\p{DI}\u0640]/u;
const WHITESPACE = /\s/u;

/** Of these scripts accents, vowel points and the like come and go; marks of others are as much the word as letters are. */
const SCRIPTS_WITH_ACCENTS = /[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}\p{sc=Zyyy}]/u;
const ACCENTS = new RegExp(
  '[[\\p{M}&&[\\p{scx=Latn}\\p{scx=Grek}\\p{scx=Cyrl}\\p{scx=Arab}\\p{scx=Hebr}\\p{sc=Zinh}]]--[\\u3099\\u309A]]',
  'gv',
);
/** The dot of Indian letters for sounds of other languages, which most people leave out. */
const NUKTA = /[\u093C\u09BC\u0A3C\u0ABC\u0B3C]/gu;
const DOTTED_INDIAN_LETTER = /[\u0900-\u0B7F]/u;

/** Letters that accent folding leaves or takes too far, after lower-casing. й, ї and ў are letters of their own; ё is not. */
const FOLDED_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ſ: 's' },
    ...{ й: 'й', ї: 'ї', ў: 'ў', ς: 'σ' },
    ...{ ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' },
    ...{ ى: 'ي', ی: 'ي', ک: 'ك', ھ: 'ه', ہ: 'ه' },
  }),
);
/** Apostrophes that Unicode counts as letters (Ukrainian, Hawaiian): one text has them where another has ’. */
const LETTER_APOSTROPHES = /[\u02BB\u02BC\u02BE\u02BF]/u;

/** Bounds the memory of what was looked up: texts of the world's scripts fit, a text of every code point does not. */
const MOST_REMEMBERED = 8192;
const remembered = new Map<number, FoldedCharacter>();

/** Pure, but for remembering what was asked before. */
export function foldedCharacter(codePoint: number): FoldedCharacter {
  const known = remembered.get(codePoint);
  if (known !== undefined) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const folded = fold(String.fromCodePoint(codePoint));
  remembered.set(codePoint, folded);
  return folded;
}

function fold(character: string): FoldedCharacter {
  if (WHITESPACE.test(character) || LETTER_APOSTROPHES.test(character)) return GAP;
  if (INVISIBLE.test(character) || SKIN_TONE.test(character)) return UNSEEN;
  if (MARK.test(character)) {
    const units = character.normalize('NFKC').replace(ACCENTS, '').replace(NUKTA, '');
    return units === '' ? UNSEEN : { kind: 'mark', units };
  }
  if (IS_UNSPACED.test(character)) return { kind: 'alone', units: character.normalize('NFKC') };
  if (IS_IN_WORD.test(character)) return { kind: 'word', units: foldedLetter(character) };
  return SYMBOL_OF_ITS_OWN.test(character) ? { kind: 'symbol', units: character } : GAP;
}

function foldedLetter(character: string): string {
  const lower = character.toLowerCase();
  const special = FOLDED_LETTERS.get(lower);
  if (special !== undefined) return special;
  if (DOTTED_INDIAN_LETTER.test(lower)) return lower.normalize('NFKD').replace(NUKTA, '');
  if (!SCRIPTS_WITH_ACCENTS.test(lower)) return lower.normalize('NFKC');
  const plain = lower.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  const folded = Array.from(plain, (letter) => FOLDED_LETTERS.get(letter) ?? letter).join('');
  // A compatibility form may spell out punctuation (⑴, ﷺ has spaces): such a character stands for itself.
  return /^[\p{L}\p{N}]+$/u.test(folded) ? folded : lower;
}
