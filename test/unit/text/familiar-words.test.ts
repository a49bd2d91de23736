/** Promises of looking words up that are only partly known. */
import { describe, expect, it } from 'vitest';
import {
  ANY_LETTER,
  collapse,
  isCommonWord,
  isFamiliarWord,
  isLeftOver,
  isMaskedWord,
  isEnglishWord,
  looksEnglish,
  matchCommonWord,
  matchMaskedWord,
  matchEnglishWord,
  frequentWordsWithSameLetters,
  soundsEnglish,
  splitIntoWords,
  wordsWithSameLetters,
} from '../../../src/text/words/familiar-words.js';
import { leetPattern } from '../../../src/text/disguises/leetspeak.js';
import { COMMON_WORDS, LESS_COMMON_WORDS } from '../../../src/text/words/word-lists.js';

describe('familiar words', () => {
  it('are those that people hide and the common ones, in any case', () => {
    const kinds = (word: string): boolean[] => [isMaskedWord(word), isCommonWord(word), isFamiliarWord(word)];
    expect(kinds('Fuck')).toEqual([true, false, true]);
    expect(kinds('PEOPLE')).toEqual([false, true, true]);
    expect(kinds('flibbet')).toEqual([false, false, false]);
  });

  it('with the same letters differ in the length of their runs only', () => {
    expect(wordsWithSameLetters('goood')).toEqual(['good', 'god']);
    expect(wordsWithSameLetters('xyz')).toEqual([]);
    // A single letter is no word to be shortened to.
    expect(wordsWithSameLetters('aaa')).toEqual([]);
    expect(collapse('aabbbca')).toBe('abca');
  });

  it('are fewer than those of English', () => {
    const words = ['people', 'niche', 'Onstage', 'colour', 'stfu', 'flibbet'];
    expect(words.map(isEnglishWord)).toEqual([true, true, true, true, false, false]);
    expect(words.map(isFamiliarWord)).toEqual([true, false, false, false, true, false]);
  });

  it('with the same letters, when only frequent ones are asked for, leave out the dictionary', () => {
    expect(frequentWordsWithSameLetters('nichhhe')).toEqual(['niche']);
    expect(frequentWordsWithSameLetters('ladyylike')).toEqual([]);
  });

  it('are listed once', () => {
    const lists = [...COMMON_WORDS, ...LESS_COMMON_WORDS];
    expect(lists.length).toBe(new Set(lists).size);
    expect(lists.filter((word) => !/^[a-z]+$/.test(word))).toEqual([]);
    expect(LESS_COMMON_WORDS.filter(isMaskedWord)).toEqual([]);
  });
});

describe('a pattern', () => {
  it('fits the first word of its length whose every letter it allows', () => {
    expect(matchMaskedWord(['f', 'u', 'c', 'k'])).toBe('fuck');
    expect(matchMaskedWord(['k', 'il', 'l', 'l'])).toBe('kill');
    expect(matchMaskedWord(['f', ANY_LETTER, 'c', 'k'])).toBe('fuck');
    expect(matchCommonWord(['w', 'o', 'r', ANY_LETTER, 'd'])).toBe('world');
    expect(matchCommonWord(['n', 'i', 'c', ANY_LETTER, 'e'])).toBeUndefined();
    expect(matchEnglishWord(['n', 'i', 'c', ANY_LETTER, 'e'])).toBe('niche');
    expect(matchEnglishWord(['l', 'a', 'd', 'y', 'l', ANY_LETTER, 'k', 'e'])).toBe('ladylike');
  });

  it('of an English word fits the most frequent, and has one open letter or a few that are one of two', () => {
    expect(matchEnglishWord(['g', ANY_LETTER, 'r', 'l'])).toBe('girl');
    expect(matchEnglishWord(['il', 'n', 'f', 'o', 'r', 'm'])).toBe('inform');
    expect(matchEnglishWord(['w', 'o', ANY_LETTER, ANY_LETTER, 'd'])).toBeUndefined();
    expect(matchEnglishWord([ANY_LETTER, 'o', 'r', 'l', 'd'])).toBeUndefined();
    expect(matchEnglishWord(['il', 'n', ANY_LETTER, 'o', 'r', 'm'])).toBe('inform');
    expect(matchEnglishWord(['il', 'n', ANY_LETTER, 'o', 'r', 'm', 'il', 'n', 'g'])).toBeUndefined();
    expect(matchEnglishWord(['d', 'il', 's', 't', 'il', 'n', 'c', 't', 'il', 'o', 'n'])).toBe('distinction');
    expect(matchEnglishWord(leetPattern('h1llbi11y') ?? [])).toBe('hillbilly');
    expect(matchEnglishWord(leetPattern('h111b111y') ?? [])).toBeUndefined();
    expect(matchEnglishWord([])).toBeUndefined();
  });

  it('may begin with any of several letters', () => {
    expect(matchMaskedWord(['gb', 'i', 't', 'c', 'h'])).toBe('bitch');
  });

  it.each([
    ['too long', ['f', 'u', 'c', 'k', 'x']],
    ['too short', ['f', 'u', 'c']],
    ['wrong in its last letter', ['f', 'u', 'c', 'x']],
    ['open at its start', [ANY_LETTER, 'u', 'c', 'k']],
    ['empty', []],
  ])('that is %s fits none', (_, pattern) => {
    expect(matchMaskedWord(pattern)).toBeUndefined();
  });

  it('is looked for in one of the two lists', () => {
    expect(matchCommonWord(['f', 'u', 'c', 'k'])).toBeUndefined();
    expect(matchMaskedWord(['w', 'o', 'r', 'l', 'd'])).toBeUndefined();
  });
});

describe('what looks English', () => {
  it.each(['potter', 'Stones', 'people', 'another'])('has the letters of familiar words in a row: %s', (word) => {
    expect(looksEnglish(word)).toBe(true);
  });

  it.each(['xstones', 'stonesx', 'stoxnes', 'logaj'])('has them from border to border, unlike %s', (word) => {
    expect(looksEnglish(word)).toBe(false);
  });
});

describe('what sounds English', () => {
  it.each(['Matthew', 'peter', 'wikipedia', 'savile'])('has letters in a row that frequent words have: %s', (word) => {
    expect(soundsEnglish(word)).toBe(true);
  });

  it.each(['logaj', 'hzga', 'mnbvc'])('does not where no frequent word has some of them: %s', (word) => {
    expect(soundsEnglish(word)).toBe(false);
  });
});

describe('letters run together', () => {
  it.each([
    ['fuckyou', ['fuck', 'you']],
    ['FuckYou', ['Fuck', 'You']],
    ['thisisnotit', ['this', 'is', 'not', 'it']],
    ['anothergun', ['another', 'gun']],
    ['iamuq', ['i', 'am', 'u', 'q']],
    ['xq', ['x', 'q']],
    ['a', ['a']],
    ['', []],
    // The longest listed word that may be found in one piece has sixteen letters.
    ['fuckconstitution', ['fuck', 'constitution']],
  ])('are cut into the fewest familiar words: %s', (letters, words) => {
    expect(splitIntoWords(letters)).toEqual(words);
  });

  it('leave over what is no word in chat either', () => {
    expect(['q', 'X', 'a', 'I', 'u', 'fuck', 'xq'].map(isLeftOver)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
