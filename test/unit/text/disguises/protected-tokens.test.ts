/** Which tokens are never read as disguised words. */
import { describe, expect, it } from 'vitest';
import { isAddress, isCode, isQuantity } from '../../../../src/text/disguises/protected-tokens.js';

describe('an address', () => {
  it.each([
    'jane@mail.example.xyz',
    'ftp://host/path',
    '(www.anything.xyz',
    'example.com',
    'example.com/f4q',
    'Example.ORG.',
  ])('is %s', (token) => {
    expect(isAddress(token)).toBe(true);
  });

  it.each(['@user.name', 'you@here', 'end.Next', 'a@b', 'http', 'f.u.c.k', 'compost'])('is not %s', (token) => {
    expect(isAddress(token)).toBe(false);
  });
});

describe('a quantity', () => {
  it.each(['80MB', '5th', '$10k', '3x', '60fps'])('is %s', (token) => {
    expect(isQuantity(token)).toBe(true);
  });

  it.each(['k1ll', '10', '5hit', 'x3', '$h1t'])('is not %s', (token) => {
    expect(isQuantity(token)).toBe(false);
  });
});

describe('a code', () => {
  it.each([
    ['shorter than any word', 'u4'],
    ['a quantity', '80MB'],
    ['hexadecimal', 'a1b2c3d4'],
    ['hexadecimal by its prefix', '0x1F4A9'],
    ['a chess move', 'Nf3'],
    ['letters and a long number', 'utf16'],
    ['the name of a user', '@some_user9'],
    ['a number and a word', '4ever'],
    ['a word and a number', 'room5'],
  ])('is %s: %s', (_, token) => {
    expect(isCode(token)).toBe(true);
  });

  it.each(['th3', '7heir', 'k1ll', 'y0ur53lf', 'sh1t', 'd1ck'])('is not %s', (token) => {
    expect(isCode(token)).toBe(false);
  });
});
