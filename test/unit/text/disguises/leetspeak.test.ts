/** Promises of reading signs as letters, one token at a time. */
import { describe, expect, it } from 'vitest';
import {
  leetPattern,
  maskPattern,
  readDrawnLetters,
  readFrequentWord,
} from '../../../../src/text/disguises/leetspeak.js';
import { ANY_LANGUAGE } from '../../../../src/text/words/familiar-words.js';

describe('leetspeak', () => {
  it('is a pattern of the letters that each sign can stand for', () => {
    expect(leetPattern('k1Ll')).toEqual(['k', 'il', 'l', 'l']);
    expect(leetPattern('é$6')).toEqual(['ée', 's', 'gb']);
    expect(leetPattern('п0Ш4л')).toEqual(['п', 'о', 'ш', 'ач', 'л']);
  });

  it.each(['f*ck', 'k.ll', 'a b'])('is not %j, where something stands for no letter', (token) => {
    expect(leetPattern(token)).toBeUndefined();
  });
});

describe('a mask', () => {
  it('stands for any letter, and a digit for its own', () => {
    expect(maskPattern('f*ck')).toEqual(['f', '*', 'c', 'k']);
    expect(maskPattern('b!tch')).toEqual(['b', '*', 't', 'c', 'h']);
    expect(maskPattern('d4*n')).toEqual(['d', 'a', '*', 'n']);
  });

  it.each(['*uck', '1d*ot', 'f"ck'])('is not read in %j', (token) => {
    expect(maskPattern(token)).toBeUndefined();
  });
});

describe('drawn letters', () => {
  it.each([
    ['|=uc|<', 'fuck'],
    ['/\\/\\oron', 'moron'],
    ['c|_|nt', 'cunt'],
    ['plain', 'plain'],
  ])('of %s read %s', (token, expected) => {
    expect(readDrawnLetters(token)).toBe(expected);
  });
});

describe('a frequent word', () => {
  it.each([
    ['supp0rted', 'supported'],
    ['Contr1butors', 'Contributors'],
    ['s0mething', 'something'],
    ['те6я', 'тебя'],
  ])('is read in %s as %s', (token, expected) => {
    expect(readFrequentWord(token, ANY_LANGUAGE)).toBe(expected);
  });

  it.each([
    ['has as many signs as letters', 'p4r3n7'],
    ['has two signs together', 'l10n'],
    ['has no sign between letters', 'gondola5'],
    ['fits none', 'x4vqz'],
    ['is a name', 'A$AP'],
    ['has a sign that is no letter', 'supp0r^ted'],
    ['begins with its only sign', '1ndoor'],
  ])('is none where the token %s: %s', (_, token) => {
    expect(readFrequentWord(token, ANY_LANGUAGE)).toBeUndefined();
  });
});
