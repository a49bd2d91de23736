/**
 * Folds letters of other scripts that look like Latin letters, where they stand in for them. Plain Russian, Greek or Armenian
 * stays as it is.
 */
import { isKnownWord, isMaskedWord } from '../words/familiar-words.js';
import { PlacedText, type Rewriting } from '../placed-text.js';
import { readLetters } from '../tables.js';
import { IN_WORD, LETTER } from '../words/characters.js';

/** What is hard to tell from the Latin letter. A word that has only these is read as Latin in a mostly Latin text. */
const lookAlikes = readLetters(new URL('tables/look-alikes.txt', import.meta.url));
/** What stands in for the Latin letter only beside real ones: "fцск". */
const resemblances = readLetters(new URL('tables/resemblances.txt', import.meta.url));
/** Latin script, but no language's ordinary spelling. */
const latinForms = readLetters(new URL('tables/latin-forms.txt', import.meta.url));
/** Letters of living languages, equal to the plain letter only when looking a word up. */
const latinVariants = readLetters(new URL('tables/latin-variants.txt', import.meta.url));

/** Cyrillic letters that Latin ones stand in for. */
const cyrillicForms = readLetters(new URL('tables/cyrillic-forms.txt', import.meta.url));

/** The lower-case ASCII letter that a letter of the Latin script is read as, for looking a word up. */
export function asciiLetter(character: string): string | undefined {
  const lower = character.toLowerCase();
  const base = lower < '\u0080' ? lower : lower.normalize('NFD').charAt(0);
  if (base >= 'a' && base <= 'z') return base;
  return latinVariants.get(base) ?? latinForms.get(base);
}

/** The Latin letter that a letter of another script is taken for. */
export function latinLookAlike(character: string): string | undefined {
  return lookAlikes.get(character) ?? resemblances.get(character);
}

/** The Cyrillic letter that a Latin one stands in for. */
export function cyrillicLookAlike(letter: string): string | undefined {
  return cyrillicForms.get(letter);
}

/** The text with look-alikes folded in words that mix scripts, and in words made of look-alikes alone within a text of the other script. */
export function foldConfusables(placed: PlacedText): PlacedText {
  if (!BEYOND_EXTENDED_LATIN.test(placed.text)) return placed;
  const words = (placed.text.match(WORD) ?? []).map(describeWord);
  const latin = total(words, (word) => word.latin);
  // Letters that prove another script: those of words that cannot be Latin ones in disguise.
  const foreign = total(words, (word) => (word.latin === 0 ? word.resembling + word.other : 0));
  const isCyrillic = isWrittenInCyrillic(placed.text, words);
  // The same words come again in the same order: none is described twice.
  const described = words.values();
  return placed.replace(WORD, (raw) => {
    const word = described.next().value;
    if (word !== undefined && isCyrillic && word.latin > 0) return asCyrillic(raw, word);
    if (word === undefined || PLAIN_WORD.test(raw) || !needsFolding(raw, word)) return raw;
    const folded = fold(raw);
    // A lone Cyrillic а is the English article in disguise, unless there is Russian around, with its initials.
    if (foreign > 0 && word.latin === 0 && word.alike === 1) return raw;
    // Beside more letters of another script a Latin i is a slip in a word of that script.
    if (word.latin > 0) return latin > foreign || (word.resembling === 0 && isMaskedWord(folded.text)) ? folded : raw;
    if (latin > foreign) return folded;
    return foreign === 0 && isMaskedWord(folded.text) ? folded : raw;
  });
}

const BEYOND_EXTENDED_LATIN = /[^\0-\u0190]/;
// With signs that can be letters (¢, $), and U+166D, a letter by its looks and punctuation by Unicode.
const WORD = new RegExp(`[${IN_WORD}$¢€£@\u166D]+`, 'gu');
// Most words, also of a text with a look-alike in it.
const PLAIN_WORD = /^[A-Za-z]+$/;
const CHARACTER = /./gsu;
const LATIN = /\p{Script=Latin}/u;
const GREEK = /\p{Script=Greek}/u;
// "µm", "5 kΩ": Greek that scientists put beside Latin letters.
const UNIT = /^\p{N}*(?:[µμ][a-zA-Z]{1,3}|[kMGm]?[ΩΩ])$/u;

interface WordLetters {
  readonly latin: number;
  readonly alike: number;
  readonly resembling: number;
  readonly other: number;
}

function describeWord(word: string): WordLetters {
  if (PLAIN_WORD.test(word)) return { latin: word.length, alike: 0, resembling: 0, other: 0 };
  const count = { latin: 0, alike: 0, resembling: 0, other: 0 };
  for (const character of word) {
    const letter = baseLetter(character);
    if (LATIN.test(letter)) count.latin += 1;
    else if (lookAlikes.has(letter)) count.alike += 1;
    else if (resemblances.has(letter)) count.resembling += 1;
    else if (LETTER.test(letter)) count.other += 1;
  }
  return count;
}

const CYRILLIC = /[\u0400-\u052F]/;
const CYRILLIC_LETTERS = /[\u0400-\u052F]/g;

/** Whether more words have a letter that is no Latin one in disguise than are plain Latin. */
function isWrittenInCyrillic(text: string, words: readonly WordLetters[]): boolean {
  if (!CYRILLIC.test(text)) return false;
  if ((text.match(CYRILLIC_LETTERS)?.length ?? 0) <= total(words, ({ latin }) => latin)) return false;
  const proven = words.filter(({ other }) => other > 0).length;
  return (
    proven > words.filter(({ latin, alike, resembling, other }) => latin > 0 && alike + resembling + other === 0).length
  );
}

/** Where all Latin letters of a word stand in for Cyrillic ones; an i alone is a slip of Ukrainian. */
function asCyrillic(raw: string, word: WordLetters): Rewriting {
  const latin = raw.match(LATIN_LETTERS) ?? [];
  if (!latin.every((letter) => cyrillicForms.has(letter)) || !latin.some((letter) => letter.toLowerCase() !== 'i'))
    return raw;
  const folded = new PlacedText(raw).replace(LATIN_LETTERS, (letter) => cyrillicForms.get(letter) ?? letter);
  const isMixed = word.alike + word.resembling + word.other > 0 && CYRILLIC.test(raw);
  return isMixed || isKnownWord(folded.text) ? folded : raw;
}

const LATIN_LETTERS = /\p{Script=Latin}/gu;

function needsFolding(raw: string, word: WordLetters): boolean {
  const letters = word.latin + word.alike + word.resembling;
  if (word.latin === letters && word.other === 0)
    return letters > 1 && Array.from(raw).some((letter) => latinForms.has(letter));
  if (word.other > 0 || word.alike + word.resembling === 0 || UNIT.test(raw)) return false;
  if (word.latin === 0 && word.resembling > 0) return false;
  // α, Δx and the like are symbols, not words.
  return letters > 2 || !GREEK.test(raw);
}

function fold(word: string): PlacedText {
  return new PlacedText(word).replace(CHARACTER, (character) => {
    const letter = baseLetter(character);
    return lookAlikes.get(letter) ?? resemblances.get(letter) ?? latinForms.get(letter) ?? character;
  });
}

/** Without its accents, so that ӓ and ά fold like а and α; Й and Ё have their own entries. */
function baseLetter(character: string): string {
  if (character < '\u0080' || lookAlikes.has(character) || resemblances.has(character)) return character;
  return String.fromCodePoint(character.normalize('NFD').codePointAt(0) ?? 0);
}

function total<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}
