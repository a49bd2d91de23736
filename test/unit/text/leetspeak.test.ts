/** Promises of reading signs as letters, one token at a time. */
import { describe, expect, it } from 'vitest';
import {
  leetPattern,
  maskPattern,
  readDrawnLetters,
  readUncommonWord,
  readUnlistedWord,
} from '../../../src/text/disguises/leetspeak.js';

describe('leetspeak', () => {
  it('is a pattern of the letters that each sign can stand for', () => {
    expect(leetPattern('k1Ll')).toEqual(['k', 'il', 'l', 'l']);
    expect(leetPattern('é$6')).toEqual(['e', 's', 'gb']);
  });

  it.each(['f*ck', 'k.ll', '你', 'a b'])('is not %j, where something stands for no letter', (token) => {
    expect(leetPattern(token)).toBeUndefined();
  });
});

describe('a mask', () => {
  it('stands for any letter, and a digit for its own', () => {
    expect(maskPattern('f*ck')).toEqual(['f', '*', 'c', 'k']);
    expect(maskPattern('b!tch')).toEqual(['b', '*', 't', 'c', 'h']);
    expect(maskPattern('d4*n')).toEqual(['d', 'a', '*', 'n']);
  });

  it.each(['*uck', '1d*ot', 'f"ck', 'f*你k'])('is not read in %j', (token) => {
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

describe('a word of the dictionary', () => {
  it.each([
    ['sup3rior', 'superior'],
    ['Contr1butors', 'Contributors'],
    ['PL4STICS', 'PLASTICS'],
    ['c0njurers', 'conjurers'],
  ])('is read in %s as %s', (token, expected) => {
    expect(readUncommonWord(token)).toBe(expected);
  });

  it.each([
    ['has as many signs as letters', 'p4r3n7'],
    ['has two signs together', 'l10n'],
    ['has no sign between letters', 'gondola5'],
    ['fits none', 'x4vqz'],
    ['is a name', 'A$AP'],
    ['has a sign that is no letter', 'sup3r^or'],
    ['begins with its only sign', '1ndoor'],
  ])('is none where the token %s: %s', (_, token) => {
    expect(readUncommonWord(token)).toBeUndefined();
  });
});

describe('a word that is on no list', () => {
  it.each([
    ['p0tter', 'potter'],
    ['st4rs', 'stars'],
    ['St0nes', 'Stones'],
    ['some0ne', 'someone'],
    ['0th3r5', 'others'],
    ['un1nt3resting', 'uninteresting'],
  ])('is read in %s as %s', (token, expected) => {
    expect(readUnlistedWord(token)).toBe(expected);
  });

  it.each([
    ['is too short', 'st4r'],
    ['has no sign between letters', 'trading5'],
    ['has two signs together', 'b33ting'],
    ['has capitals inside', 'sT4rs'],
    ['is mostly signs', '4l0n3'],
    ['is made of words of its own', 'with1n'],
    ['reads like nothing English', 'x4vq3z'],
  ])('is none where the token %s: %s', (_, token) => {
    expect(readUnlistedWord(token)).toBeUndefined();
  });
});
