/** When letters of other scripts are read as the Latin ones that they look like. */
import { describe, expect, it } from 'vitest';
import { asciiLetter, foldConfusables } from '../../../../src/text/disguises/confusables.js';
import { PlacedText } from '../../../../src/text/placed-text.js';

describe('look-alikes', () => {
  it.each([
    ['in a Latin word', 'fuсk', 'fuck'],
    ['that only resemble the letter, in a Latin word', 'fцck', 'fuck'],
    ['that are all of a word which people hide', 'ѕех', 'sex'],
    ['that are all of a word, beside Latin words', 'сор cop', 'cop cop'],
    ['under accents', 'ӓss', 'ass'],
    ['with an accent of their own', 'Йo', 'No'],
    ['as an article, among Latin words', 'Hello а man', 'Hello a man'],
    ['that are unusual Latin letters', 'ᴋɪʟʟ', 'kill'],
    ['beside one unusual Latin letter', 'ɪt', 'it'],
    ['beside a Russian word, in a word with a Latin letter', 'fuсk дом', 'fuck дом'],
    [
      'that are all of a word, among more Latin words than Russian ones',
      'these are words дом сор',
      'these are words дом cop',
    ],
    ['beside Russian, in a word with a Latin letter', 'ѕһіt дом дом дом', 'shit дом дом дом'],
  ])('are folded %s: %s', (_, text, expected) => {
    expect(foldConfusables(new PlacedText(text)).text).toBe(expected);
  });

  it.each([
    ['in a word that only resembles a Latin one', 'кот'],
    ['in a word that nobody hides, alone', 'сор'],
    ['in a word with letters of its script', 'дом and dom'],
    ['that resemble, in a word without a Latin letter', 'цск you'],
    ['as an initial, among Russian words', 'это а также'],
    ['as an initial, among Latin and Russian words', 'these are words дом а'],
    ['in a word that people hide, among Russian ones', 'дом ѕех'],
    ['in a word with letters of a third script', 'these words 日ааx'],
    ['as a symbol of two letters', 'λx'],
    ['as another symbol', 'Δx'],
    ['as a symbol of Greek alone', 'αβ'],
    ['as a unit', '5µm'],
    ['as another unit', '10 kΩ'],
    ['as a single unusual letter', 'ɪ'],
    ['where there are none', 'Ordinary text, naïve café.'],
    ['in Russian that has the letters of a hidden word', 'я люблю секс'],
    ['that resemble, in a mixed word among Russian ones', 'дом дом дом яx'],
  ])('are not folded %s: %s', (_, text) => {
    expect(foldConfusables(new PlacedText(text)).text).toBe(text);
  });
});

describe('the plain letter', () => {
  it.each([
    ['k', 'k'],
    ['z', 'z'],
    ['A', 'a'],
    ['É', 'e'],
    ['ß', 's'],
    ['ø', 'o'],
    ['Ł', 'l'],
    ['ᴀ', 'a'],
    ['я', undefined],
    ['1', undefined],
    ['{', undefined],
    ['`', undefined],
  ])('of %s is %s', (character, letter) => {
    expect(asciiLetter(character)).toBe(letter);
  });
});
