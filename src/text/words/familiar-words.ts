/**
 * Knows the frequent words of the languages that are served, and words that people hide: looks them up whole, partly known, or run together.
 * Knows nothing of how a text was disguised.
 */
import { readLines } from '../tables.js';
import { LETTERS_ALONE, TOKENS } from './characters.js';
import { DOUBLED_NAMES } from './word-lists.js';
import { createWordTrie, type WordPattern } from './word-trie.js';

/** Some of the languages that are served, a bit for each. */
export type Languages = number;
export const ANY_LANGUAGE: Languages = ~0;

/** So many of each language are its common ones, and so few make up most of what is said. */
const COMMON_OF_A_LANGUAGE = 2000;
const VERY_COMMON_OF_A_LANGUAGE = 300;

const CODES: string[] = [];

/** A bit for each code, parted by spaces. */
function languagesNamed(codes: string): Languages {
  return codes.split(' ').reduce((named, code) => {
    if (!CODES.includes(code)) CODES.push(code);
    return named | (1 << CODES.indexOf(code));
  }, 0);
}

interface Words {
  /** In the order of their UTF-16 units. */
  readonly words: readonly string[];
  /** How many words of a language are more frequent, or likelier hidden. */
  readonly ranks: Uint16Array;
  readonly languages: Int32Array;
}

function readFrequentWords(file: URL): Words {
  const lines = readLines(file);
  const ranks = new Uint16Array(lines.length);
  const languages = new Int32Array(lines.length);
  const named = new Map<string, Languages>();
  const words = lines.map((line, index) => {
    const end = line.indexOf(' ');
    const rankEnd = line.indexOf(' ', end + 1);
    const codes = line.slice(rankEnd + 1);
    const known = named.get(codes) ?? languagesNamed(codes);
    named.set(codes, known);
    ranks[index] = Number(line.slice(end + 1, rankEnd));
    languages[index] = known;
    return line.slice(0, end);
  });
  return { words, ranks, languages };
}

function readHiddenWords(file: URL): Words {
  const found = new Map<string, { readonly rank: number; readonly languages: Languages }>();
  for (const line of readLines(file)) {
    const [code = '', ...words] = line.split(' ');
    for (const word of words) {
      const { rank, languages } = found.get(word) ?? { rank: found.size, languages: 0 };
      found.set(word, { rank, languages: languages | languagesNamed(code) });
    }
  }
  const words = [...found.keys()].sort();
  return {
    words,
    ranks: Uint16Array.from(words, (word) => found.get(word)?.rank ?? 0),
    languages: Int32Array.from(words, (word) => found.get(word)?.languages ?? 0),
  };
}

/** They tell words apart from codes, and where words end that were run together. */
const { words, ranks, languages } = readFrequentWords(new URL('frequent.txt', import.meta.url));
/** Words that people hide with symbols, digits and spaces. Where a mask leaves a choice the first that fits wins. */
const hidden = readHiddenWords(new URL('masked.txt', import.meta.url));
const frequent = createWordTrie(words, ranks);
const masked = createWordTrie(hidden.words, hidden.ranks);
const hiddenLanguages = new Map(hidden.words.map((word, index) => [word, hidden.languages[index] ?? 0]));
const doubledNames = new Set(DOUBLED_NAMES);
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
    const word = LETTERS_ALONE.exec(token)?.[0].toLowerCase();
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

export interface Split {
  readonly words: readonly string[];
  /** Mean negative log-probability of a letter, about: 2 to 3 for words of a language, 5 for letters of none. */
  readonly cost: number;
}

const MASKED_COST = 7;
/** Of a word that is not listed. */
const UNKNOWN_WORD_COST = 8;
const UNKNOWN_LETTER_COST = 4;
const FIRST_COST = 2.5;
const FLATTENING = 12;

/** The words of one language that letters without spaces are likeliest made of (Viterbi). Takes time linear in their number. */
export function splitIntoWords(letters: string): Split {
  const lower = letters.toLowerCase();
  // Where a letter is another number of units in lower case, places differ.
  const text = lower.length === letters.length ? lower : letters;
  const count = CODES.length;
  const best = new Float64Array((text.length + 1) * count).fill(Infinity).fill(0, 0, count);
  const unknown = new Float64Array((text.length + 1) * count).fill(Infinity);
  const lengths = new Uint8Array((text.length + 1) * count);
  const unknownLengths = new Uint16Array((text.length + 1) * count);
  const reach = (start: number, length: number, language: number, cost: number): void => {
    const from = start * count + language;
    const to = from + length * count;
    const total = (best[from] ?? 0) + cost;
    if (total < (best[to] ?? 0)) {
      best[to] = total;
      lengths[to] = length;
    }
  };
  for (let start = 0; start < text.length; start += 1) {
    // What is not listed may end here.
    for (let language = 0; language < count; language += 1) {
      const at = start * count + language;
      if ((unknown[at] ?? 0) < (best[at] ?? 0)) {
        best[at] = unknown[at] ?? 0;
        lengths[at] = 0;
      }
      const begun = (best[at] ?? 0) + UNKNOWN_WORD_COST + UNKNOWN_LETTER_COST;
      const goneOn = (unknown[at] ?? 0) + UNKNOWN_LETTER_COST;
      unknown[at + count] = Math.min(begun, goneOn);
      unknownLengths[at + count] = begun < goneOn ? 1 : (unknownLengths[at] ?? 0) + 1;
    }
    frequent.wordsAt(text, start, (length, index) => {
      const cost = FIRST_COST + Math.log((ranks[index] ?? 0) + FLATTENING);
      const spoken = languages[index] ?? 0;
      for (let language = 0; language < count; language += 1) {
        if ((spoken & (1 << language)) !== 0) reach(start, length, language, cost);
      }
    });
    masked.wordsAt(text, start, (length) => {
      for (let language = 0; language < count; language += 1) reach(start, length, language, MASKED_COST);
    });
  }
  const end = text.length * count;
  const total = (language: number): number => Math.min(best[end + language] ?? 0, unknown[end + language] ?? 0);
  let chosen = 0;
  for (let language = 1; language < count; language += 1) if (total(language) < total(chosen)) chosen = language;
  const cost = total(chosen) / text.length;
  if ((unknown[end + chosen] ?? 0) < (best[end + chosen] ?? 0)) lengths[end + chosen] = 0;
  const split: string[] = [];
  for (let at = text.length; at > 0;) {
    const place = at * count + chosen;
    const listed = lengths[place] ?? 0;
    const length = listed > 0 ? listed : Math.max(1, unknownLengths[place] ?? 1);
    split.unshift(letters.slice(at - length, at));
    at -= length;
  }
  return { words: split, cost };
}
