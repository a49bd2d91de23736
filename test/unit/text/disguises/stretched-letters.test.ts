/** How far stretched letters are shortened, and which doubled ones are left alone. */
import { describe, expect, it } from 'vitest';
import { shortenStretchedLetters, shortenStretchedWords } from '../../../../src/text/disguises/stretched-letters.js';
import { PlacedText } from '../../../../src/text/placed-text.js';

describe('stretched letters', () => {
  it.each([
    ['the longest familiar word that fits', 'goood', 'good'],
    ['a single letter, where three stand for one', 'looove', 'love'],
    ['a word that people hide, where two stand for one', 'fuuck', 'fuck'],
    ['the case of the letters that stay', 'Loooove', 'Love'],
    ['a word of another language', 'хочуууу', 'хочу'],
  ])('are shortened to %s: %s', (_, word, expected) => {
    expect(shortenStretchedLetters(word)).toBe(expected);
  });

  it.each([
    ['a doubled letter of an ordinary word, whatever word one alone would make', 'loose'],
    ['a letter that is missing, of a word that has it doubled', 'puusy'],
    ['three letters of a code in capitals', 'IIIB'],
    ['a Roman numeral', 'XXXIII'],
    ['one letter alone, at any length', 'zzzzz'],
    ['a word that is not known', 'flibbbbet'],
    ['a word that its language writes so', 'copiii'],
    ['a familiar word', 'fussing'],
    ['a word that looks like a listed one with a letter doubled', 'looser'],
    ['a rarer word that looks like an ordinary one with a letter doubled', 'cannon'],
    ['a rare word that looks like a listed one with a letter doubled', 'hatter'],
    ['a name that looks like a listed word with a letter doubled', 'Gunn'],
    ['a name that looks like a word of three letters with one doubled', 'Matt'],
  ])('are not %s: %s', (_, word) => {
    expect(shortenStretchedLetters(word)).toBe(word);
  });
});

describe('a text with stretched letters', () => {
  it.each([
    ['beside punctuation', 'You fuuuck!! (stuupid)', 'You fuck!! (stupid)'],
    ['in each part of a compound', 'you fuuuck-heaaad', 'you fuck-head'],
  ])('has them shortened %s: %s', (_, text, expected) => {
    expect(shortenStretchedWords(new PlacedText(text)).text).toBe(expected);
  });

  it.each(['see https://example.com/fuuuck now', '@useeeer is here', 'RRRR24 and 10mmmm', '#FFFFFF'])(
    'keeps addresses, names and codes: %s',
    (text) => {
      expect(shortenStretchedWords(new PlacedText(text)).text).toBe(text);
    },
  );
});
