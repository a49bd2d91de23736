/**
 * Knows the frequent words of the languages that are served, and words that people hide: looks them up whole, partly known, or run together.
 * Knows nothing of how a text was disguised.
 */
import { LETTERS_ALONE, TOKENS } from './characters.js';
import { readWords } from '../tables.js';
import {
  ANY_LANGUAGE,
  CODES,
  frequent,
  hidden,
  languages,
  masked,
  ranks,
  words,
  type Languages,
} from './vocabulary.js';
import type { WordPattern } from './word-trie.js';

export { ANY_LANGUAGE, type Languages } from './vocabulary.js';

/** So many of each language are its common ones, and so few make up most of what is said. */
const COMMON_OF_A_LANGUAGE = 2000;
const VERY_COMMON_OF_A_LANGUAGE = 300;

const hiddenLanguages = new Map(hidden.words.map((word, index) => [word, hidden.languages[index] ?? 0]));
const doubledNames = new Set(readWords(new URL('doubled-names.txt', import.meta.url)));
/** Of each letter without an accent, those that have one. */
const accented = accentedLetters();

function accentedLetters(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const letter of [...frequent.letters, ...masked.letters]) {
    const base = baseLetter(letter);
    const known = found.get(base) ?? '';
    if (base !== letter && !known.includes(letter)) found.set(base, known + letter);
  }
  return found;
}

/** Without its accent, where what is left is the same letter for those who type without them: й is no и. */
function baseLetter(letter: string): string {
  if (letter === 'й' || letter === 'ї') return letter;
  if (letter === 'ı') return 'i';
  if (letter === 'ł') return 'l';
  return letter.normalize('NFD').charAt(0);
}

/** The pattern of those who type without accents. */
function withAccents(pattern: WordPattern): WordPattern {
  return pattern.map((letters) => {
    const known = withAccent.get(letters);
    if (known !== undefined) return known;
    const all = letters + Array.from(letters, (letter) => accented.get(letter) ?? '').join('');
    if (withAccent.size < MOST_REMEMBERED) withAccent.set(letters, all);
    return all;
  });
}

const MOST_REMEMBERED = 1000;
const withAccent = new Map<string, string>();

/** So many words say of which language a text is. */
const FEWEST_WORDS = 3;
const MOST_WORDS = 200;
const ENGLISH: Languages = 1 << CODES.indexOf('en');
const NOT_ENGLISH: Languages = ~ENGLISH;

/** What a text is written in, as far as its words tell: the language that has most of them, and English, which all borrow from. */
export function languagesOf(text: string): Languages {
  const counts = new Uint16Array(CODES.length);
  let known = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    const word = LETTERS_ALONE.exec(token)?.[1]?.toLowerCase();
    const index = word === undefined ? -1 : frequent.indexOf(word);
    if (index < 0) continue;
    known += 1;
    for (let language = 0; language < counts.length; language += 1) {
      if (((languages[index] ?? 0) & (1 << language)) !== 0) counts[language] = (counts[language] ?? 0) + 1;
    }
    if (known >= MOST_WORDS) break;
  }
  if (known < FEWEST_WORDS) return ANY_LANGUAGE;
  const most = Math.max(...counts);
  if (counts[CODES.indexOf('en')] === most) return ENGLISH;
  return counts.reduce((found, count, language) => (count === most ? found | (1 << language) : found), ENGLISH);
}

export const LONGEST_FAMILIAR_WORD = 16;

export function isMaskedWord(word: string, spoken = ANY_LANGUAGE): boolean {
  return (languagesThatHide(word) & spoken) !== 0;
}

const hiddenShapes = new Set(hidden.words.map((word) => shapeOf(word, word.length)));

function shapeOf(start: string, length: number): number {
  return start.charCodeAt(0) * 64 + length;
}

/** Whether some word that people hide begins with the same letter and is as long: quicker to ask than what it is. */
export function mayStartMaskedWord(start: string, length: number): boolean {
  return hiddenShapes.has(shapeOf(start.toLowerCase(), length));
}

/** Those in which people hide the word. */
export function languagesThatHide(word: string): Languages {
  return hiddenLanguages.get(word.toLowerCase()) ?? 0;
}

const REPEATED_LETTER = /(.)\1+/gu;
const hiddenRuns = new Set(hidden.words.map((word) => word.replace(REPEATED_LETTER, '$1')));

/** Whether it differs from a word that people hide in the length of its runs of one letter at most. */
export function mayStretchMaskedWord(word: string): boolean {
  return hiddenRuns.has(word.toLowerCase().replace(REPEATED_LETTER, '$1'));
}

/** So few words of two letters are words of a language, and of three; the others are abbreviations of chat. */
const MOST_SHORT_WORDS = [0, 0, 200, COMMON_OF_A_LANGUAGE];

/** Whether it is one of the `most` frequent words of its language. A single letter is no word here. */
function isAmong(most: number, word: string, spoken = ANY_LANGUAGE): boolean {
  const index = word.length < 2 ? -1 : frequent.indexOf(word.toLowerCase());
  const limit = Math.min(most, MOST_SHORT_WORDS[word.length] ?? Infinity);
  return (ranks[index] ?? Infinity) < limit && ((languages[index] ?? 0) & spoken) !== 0;
}

export function isCommonWord(word: string, spoken = ANY_LANGUAGE): boolean {
  return isAmong(COMMON_OF_A_LANGUAGE, word, spoken);
}

export function isVeryCommonWord(word: string): boolean {
  return isAmong(VERY_COMMON_OF_A_LANGUAGE, word);
}

/** Frequent, whether or not it is common, or a word that people hide. */
export function isKnownWord(word: string): boolean {
  return isMaskedWord(word) || isAmong(Infinity, word);
}

export function isFamiliarWord(word: string): boolean {
  return isMaskedWord(word) || isCommonWord(word);
}

/** Words that some language has side by side: "kill all", not "as hole". Single letters are no words here. */
export function areWordsOfOneLanguage(parts: readonly string[]): boolean {
  let common = ANY_LANGUAGE;
  for (const part of parts) {
    const listed = languagesThatHide(part);
    common &= isCommonWord(part) ? listed | (languages[frequent.indexOf(part.toLowerCase())] ?? 0) : listed;
  }
  return common !== 0;
}

/** Names, mostly, that are another word with a letter doubled. */
export function isDoubledName(word: string): boolean {
  return doubledNames.has(word.toLowerCase());
}

/** The first word that people hide and that fits. */
export function matchMaskedWord(pattern: WordPattern, spoken = ANY_LANGUAGE): string | undefined {
  const accepts = (index: number): boolean => ((hidden.languages[index] ?? 0) & spoken) !== 0;
  const index = masked.match(pattern, accepts);
  return hidden.words[index < 0 ? masked.match(withAccents(pattern), accepts) : index];
}

/** Shorter words are codes as often; of three letters only the most frequent are read, of two those of the language that a text is in. */
const SHORTEST_FREQUENT = 4;
const SHORTEST_VERY_COMMON = 3;
const MOST_WORDS_OF_THREE = 1000;

/** The most frequent word that fits; of any language, sooner an English one. */
export function matchFrequentWord(pattern: WordPattern, spoken = ANY_LANGUAGE): string | undefined {
  if (pattern.length < SHORTEST_FREQUENT) return matchVeryCommonWord(pattern, spoken, MOST_WORDS_OF_THREE);
  if (spoken === ANY_LANGUAGE) return matchFrequentWord(pattern, ENGLISH) ?? matchFrequentWord(pattern, NOT_ENGLISH);
  const accepts = (index: number): boolean => ((languages[index] ?? 0) & spoken) !== 0;
  const index = frequent.match(pattern, accepts);
  return words[index < 0 ? frequent.match(withAccents(pattern), accepts) : index];
}

/** As `matchFrequentWord`, of common words alone. */
export function matchCommonWord(pattern: WordPattern, spoken = ANY_LANGUAGE): string | undefined {
  const word = matchFrequentWord(pattern, spoken);
  return word !== undefined && isCommonWord(word) ? word : undefined;
}

/** As `matchFrequentWord`, of the few that make up most of what is said. */
export function matchVeryCommonWord(
  pattern: WordPattern,
  spoken = ANY_LANGUAGE,
  most = VERY_COMMON_OF_A_LANGUAGE,
): string | undefined {
  if (spoken === ANY_LANGUAGE && pattern.length >= SHORTEST_VERY_COMMON) {
    return matchVeryCommonWord(pattern, ENGLISH, most) ?? matchVeryCommonWord(pattern, NOT_ENGLISH, most);
  }
  if (pattern.length < SHORTEST_VERY_COMMON - 1 || spoken === ANY_LANGUAGE) return undefined;
  const index = frequent.match(
    pattern,
    (at) => ((languages[at] ?? 0) & spoken) !== 0 && (ranks[at] ?? Infinity) < most,
  );
  return words[index];
}
