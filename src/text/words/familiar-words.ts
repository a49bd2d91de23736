/**
 * Looks words up that are only partly known: by pattern, without stretched letters, or run together. Knows the word lists
 * and nothing of how a text was disguised.
 */
import { DICTIONARY } from './dictionary.js';
import { COMMON_WORDS, LESS_COMMON_WORDS, MASKED_WORDS } from './word-lists.js';

/** For each position of a word the letters that may stand there, or ANY_LETTER. */
export type WordPattern = readonly string[];
export const ANY_LETTER = '*';

export const LONGEST_FAMILIAR_WORD = 16;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

const FREQUENT_WORDS: readonly string[] = [...COMMON_WORDS, ...LESS_COMMON_WORDS];

const maskedWords = new Set(MASKED_WORDS);
const commonWords = new Set(COMMON_WORDS);
const maskedByStart = byStart(MASKED_WORDS);
const commonByStart = byStart(COMMON_WORDS);
/** The more frequent, the lower. */
const englishRanks = new Map<string, number>();
for (const words of [FREQUENT_WORDS, DICTIONARY]) {
  for (const word of words) if (!englishRanks.has(word)) englishRanks.set(word, englishRanks.size);
}

export function isMaskedWord(word: string): boolean {
  return maskedWords.has(word.toLowerCase());
}

export function isCommonWord(word: string): boolean {
  return commonWords.has(word.toLowerCase());
}

/** Common, less common, or in the dictionary. */
export function isEnglishWord(word: string): boolean {
  return englishRanks.has(word.toLowerCase());
}

const WORDS = /\p{L}{2,}/gu;
/** Of the words of English text about two thirds are common ones, of other languages' up to a fifth are spelt like one. */
const LEAST_COMMON = 0.3;

export function isEnglishText(text: string): boolean {
  const words = text.match(WORDS) ?? [];
  return words.filter(isCommonWord).length >= LEAST_COMMON * words.length;
}

const SHORTEST_KNOWN = 3;

/** On any list, and no mere pair of letters. */
export function isKnownWord(word: string): boolean {
  return word.length >= SHORTEST_KNOWN && (isMaskedWord(word) || isEnglishWord(word));
}

export function isFamiliarWord(word: string): boolean {
  return isMaskedWord(word) || isCommonWord(word);
}

/** The first listed word that fits. A pattern that begins with ANY_LETTER fits none: too many words would. */
export function matchMaskedWord(pattern: WordPattern): string | undefined {
  return match(pattern, maskedByStart);
}

export function matchCommonWord(pattern: WordPattern): string | undefined {
  return match(pattern, commonByStart);
}

/** There are too many words to try each, so each spelling is looked up: with one open letter, or five that are one of two. */
const MOST_SPELLINGS = 2 * ALPHABET.length;

/** The most frequent word that fits. A pattern that begins with ANY_LETTER, or allows for more than MOST_SPELLINGS, fits none. */
export function matchEnglishWord(pattern: WordPattern): string | undefined {
  if (pattern[0] === ANY_LETTER || spellingsCount(pattern) > MOST_SPELLINGS) return undefined;
  let best: string | undefined;
  for (const word of spellings(pattern)) {
    if (rankOf(word) < rankOf(best ?? '')) best = word;
  }
  return best;
}

function rankOf(word: string): number {
  return englishRanks.get(word) ?? Number.POSITIVE_INFINITY;
}

function spellingsCount(pattern: WordPattern): number {
  return pattern.reduce((count, letters) => count * lettersOf(letters).length, 1);
}

function spellings(pattern: WordPattern): string[] {
  return pattern.reduce<string[]>(
    (starts, letters) => Array.from(lettersOf(letters)).flatMap((letter) => starts.map((start) => start + letter)),
    [''],
  );
}

function lettersOf(allowed: string): string {
  return allowed === ANY_LETTER ? ALPHABET : allowed;
}

function match(pattern: WordPattern, words: ReadonlyMap<string, readonly string[]>): string | undefined {
  for (const letter of pattern[0] ?? '') {
    const word = words.get(letter + String(pattern.length))?.find((candidate) => fits(candidate, pattern));
    if (word !== undefined) return word;
  }
  return undefined;
}

/** @param word of as many letters as the pattern */
export function fits(word: string, pattern: WordPattern): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const allowed = pattern[index];
    if (allowed !== ANY_LETTER && allowed?.includes(word.charAt(index)) !== true) return false;
  }
  return true;
}

/** Keyed by first letter and length, as in "f4". */
function byStart(words: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const word of words) {
    const start = word.charAt(0) + String(word.length);
    const group = groups.get(start);
    if (group === undefined) groups.set(start, [word]);
    else group.push(word);
  }
  return groups;
}

const REPEATED_LETTER = /(.)\1+/gu;

/** The word with every run of one letter reduced to a single one. */
export function collapse(word: string): string {
  return word.replace(REPEATED_LETTER, '$1');
}

const familiarByLetters = byLetters([...MASKED_WORDS, ...COMMON_WORDS]);
const frequentByLetters = byLetters(FREQUENT_WORDS);

/** Familiar words that differ from a lower-case word in the length of its runs only: "goood" gives "god" and "good". */
export function wordsWithSameLetters(word: string): readonly string[] {
  return familiarByLetters.get(collapse(word)) ?? [];
}

/** As wordsWithSameLetters, of common and less common words. */
export function frequentWordsWithSameLetters(word: string): readonly string[] {
  return frequentByLetters.get(collapse(word)) ?? [];
}

/** Keyed by the words without their repeated letters. */
function byLetters(words: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const word of new Set(words)) {
    if (word.length < 2) continue;
    const letters = collapse(word);
    const group = groups.get(letters);
    if (group === undefined) groups.set(letters, [word]);
    else group.push(word);
  }
  return groups;
}

const familiarTrigrams = trigramsOfAll([...MASKED_WORDS, ...COMMON_WORDS]);
const frequentTrigrams = trigramsOfAll([...MASKED_WORDS, ...FREQUENT_WORDS]);

/** True when every three neighbouring letters, word borders included, also occur in a familiar word: "nikname" yes, "logaj" no. */
export function looksEnglish(word: string): boolean {
  return trigramsOf(word.toLowerCase()).every((trigram) => familiarTrigrams.has(trigram));
}

/** As looksEnglish, in any frequent word: "matthew" yes, "mnbvc" no. */
export function soundsEnglish(word: string): boolean {
  return trigramsOf(word.toLowerCase()).every((trigram) => frequentTrigrams.has(trigram));
}

function trigramsOfAll(words: Iterable<string>): Set<string> {
  const trigrams = new Set<string>();
  for (const word of words) for (const trigram of trigramsOf(word)) trigrams.add(trigram);
  return trigrams;
}

function trigramsOf(word: string): string[] {
  const framed = `^${word}$`;
  const trigrams: string[] = [];
  for (let end = 3; end <= framed.length; end += 1) trigrams.push(framed.slice(end - 3, end));
  return trigrams;
}

/** Single letters that are words of their own in chat. */
const LETTER_WORDS = new Set(['a', 'i', 'u', 'r']);
const WORD_COST = 1;
// More than two words' worth: a letter is left over only where nothing else fits.
const LEFT_OVER_COST = 2.5;

/**
 * Cuts letters that were run together into familiar words, the fewest that cover them: "fuckyou" gives ["fuck", "you"]. Letters that
 * belong to no word stay single. Takes time linear in the number of letters.
 */
export function splitIntoWords(letters: string): string[] {
  const lower = letters.toLowerCase();
  const best: { readonly cost: number; readonly length: number }[] = [{ cost: 0, length: 0 }];
  for (let end = 1; end <= lower.length; end += 1) {
    let choice = { cost: Number.POSITIVE_INFINITY, length: 1 };
    for (let length = 1; length <= Math.min(LONGEST_FAMILIAR_WORD, end); length += 1) {
      const cost = (best[end - length]?.cost ?? 0) + costOf(lower.slice(end - length, end));
      if (cost < choice.cost) choice = { cost, length };
    }
    best.push(choice);
  }
  const words: string[] = [];
  for (let end = letters.length; end > 0;) {
    const length = best[end]?.length ?? 1;
    words.unshift(letters.slice(end - length, end));
    end -= length;
  }
  return words;
}

function costOf(piece: string): number {
  if (piece.length === 1) return LETTER_WORDS.has(piece) ? WORD_COST : LEFT_OVER_COST;
  return maskedWords.has(piece) || commonWords.has(piece) ? WORD_COST : Number.POSITIVE_INFINITY;
}

/** True for a piece of splitIntoWords that belongs to no word. */
export function isLeftOver(piece: string): boolean {
  return piece.length === 1 && !LETTER_WORDS.has(piece.toLowerCase());
}
