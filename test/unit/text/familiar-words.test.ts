/** Promises of knowing words, also those that are only partly known or run together. */
import { describe, expect, it } from 'vitest';
import {
  areWordsOfOneLanguage,
  isCommonWord,
  isFamiliarWord,
  isKnownWord,
  isMaskedWord,
  languagesOf,
  languagesThatHide,
  matchCommonWord,
  matchFrequentWord,
  matchMaskedWord,
  mayStretchMaskedWord,
} from '../../../src/text/words/familiar-words.js';
import { splitIntoWords } from '../../../src/text/words/split-words.js';
import { ANY_LETTER } from '../../../src/text/words/word-trie.js';

describe('words', () => {
  it('are hidden by people, common, less common, or unknown, in any case', () => {
    const kinds = (word: string): boolean[] => [
      isMaskedWord(word),
      isCommonWord(word),
      isFamiliarWord(word),
      isKnownWord(word),
    ];
    expect(kinds('Wanker')).toEqual([true, false, true, true]);
    expect(kinds('PEOPLE')).toEqual([false, true, true, true]);
    expect(kinds('encyclopedic')).toEqual([false, false, false, true]);
    expect(kinds('flibbet')).toEqual([false, false, false, false]);
  });

  it.each(['niño', 'gente', 'Straße', 'деньги', 'kocham', 'arkadaş', 'ψωμί'])(
    'are those of every language: %s',
    (word) => {
      expect(isKnownWord(word)).toBe(true);
    },
  );

  it('stand side by side where one language has all of them', () => {
    expect(areWordsOfOneLanguage(['kill', 'all'])).toBe(true);
    expect(areWordsOfOneLanguage(['alle', 'Leute'])).toBe(true);
    expect(areWordsOfOneLanguage(['people', 'деньги'])).toBe(false);
    expect(areWordsOfOneLanguage(['people', 'x'])).toBe(false);
  });

  it('that people hide may have their letters stretched', () => {
    expect(mayStretchMaskedWord('fuuck')).toBe(true);
    expect(mayStretchMaskedWord('flibbet')).toBe(false);
  });
});

describe('the languages of a text', () => {
  it('are the one that has most of its words, and English', () => {
    const spanish = languagesOf('todos lo saben y nadie lo dice');
    expect(languagesThatHide('mierda') & spanish).not.toBe(0);
    expect(languagesThatHide('shit') & spanish).not.toBe(0);
    expect(languagesThatHide('kurwa') & spanish).toBe(0);
  });

  it('are all where few words tell', () => {
    expect(languagesOf('todos')).toBe(~0);
  });
});

describe('a pattern', () => {
  it('fits the first hidden word, and the most frequent other word, whose every letter it allows', () => {
    expect(matchMaskedWord(['f', 'u', 'c', 'k'])).toBe('fuck');
    expect(matchMaskedWord(['gb', 'i', 't', 'c', 'h'])).toBe('bitch');
    expect(matchMaskedWord(['m', ANY_LETTER, 'e', 'r', 'd', 'a'])).toBe('mierda');
    expect(matchCommonWord(['w', 'o', 'r', ANY_LETTER, 'd'])).toBe('world');
    expect(matchCommonWord(Array.from('enc*clopedic'))).toBeUndefined();
    expect(matchFrequentWord(Array.from('enc*clopedic'))).toBe('encyclopedic');
  });

  it('fits words with accents where none without fits', () => {
    expect(matchMaskedWord(['i', 'm', 'b', 'e', 'c', 'il', 'l', 'e', 's'])).toBe('imbeciles');
    expect(matchMaskedWord(['c', 'a', 'b', 'r', 'o', 'n'])).toBe('cabrón');
  });

  it('fits sooner a word of the language that is spoken', () => {
    const german = languagesOf('das ist nicht der Mann, den ich kenne');
    expect(matchFrequentWord(['h', 'a', ANY_LETTER, 'e'])).toBe('have');
    expect(matchFrequentWord(['h', ANY_LETTER, 'u', 's'], german)).toBe('haus');
  });

  it.each([
    ['too long', ['f', 'u', 'c', 'k', 'x']],
    ['too short', ['f', 'u', 'c']],
    ['wrong in its last letter', ['f', 'u', 'c', 'x']],
    ['empty', []],
  ])('that is %s fits none', (_, pattern) => {
    expect(matchMaskedWord(pattern)).toBeUndefined();
  });
});

describe('letters run together', () => {
  it.each([
    ['fuckyou', ['fuck', 'you']],
    ['FuckYou', ['Fuck', 'You']],
    ['thisisnotit', ['this', 'is', 'not', 'it']],
    ['nadietevaaecharalacalle', ['nadie', 'te', 'va', 'a', 'echar', 'a', 'la', 'calle']],
    ['ястобойнеговорю', ['я', 'с', 'тобой', 'не', 'говорю']],
    ['duhastkeineahnung', ['du', 'hast', 'keine', 'ahnung']],
  ])('are cut into words of one language: %s', (letters, words) => {
    expect(splitIntoWords(letters).words).toEqual(words);
  });

  it('leave what is no word in one piece', () => {
    expect(splitIntoWords('thexqzwjkv').words).toEqual(['the', 'xqzwjkv']);
    expect(splitIntoWords('xqzwjkv').cost).toBeGreaterThan(splitIntoWords('thisisnotit').cost);
  });
});
