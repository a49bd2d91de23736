/** Promises of reading texts that are written in leetspeak, where a single word would be left alone. */
import { describe, expect, it } from 'vitest';
import { readLeetspeakTexts } from '../../../../src/text/disguises/leetspeak-texts.js';
import { PlacedText } from '../../../../src/text/placed-text.js';

describe('a text that is written in leetspeak', () => {
  it('is read to its end, what could be a code and names too', () => {
    expect(readLeetspeakTexts(new PlacedText('Ju57 r34d wh47 P3t3r 54y5 4b0u7 M477h3w, y0u f4gg07')).text).toBe(
      'Just read what Peter says about Matthew, you faggot',
    );
  });

  it.each([
    ['c4k3 f0r d1nn3r w17h 7h3m', 'cake for dinner with them'],
    ['w3ll-kn0wn, (qu173) 7h15!', 'well-known, (quite) this!'],
    ['g00d m0rn1ng, Mr S4v1l3', 'good morning, Mr Savile'],
    ['4ll is w3ll th3 day', 'all is well the day'],
    ['TH3Y W1LL D1E', 'THEY WILL DIE'],
  ])('%j is %j', (text, expected) => {
    expect(readLeetspeakTexts(new PlacedText(text)).text).toBe(expected);
  });

  it('keeps quantities, addresses, codes that are no word, and what sounds like nothing', () => {
    const kept = '100k 5th 80MB http://x.com/w3b51t3 d4v3@m4il.com h264 covid19 B20 x9zk7 a*1 x';
    expect(readLeetspeakTexts(new PlacedText(`g00d m0rn1ng ${kept}`)).text).toBe(`good morning ${kept}`);
  });
});

describe('any other text is left as it is', () => {
  it.each([
    ['a single word says little', 'the c4k3 is on the table'],
    ['a word that is said twice is still one', 'the c4k3 is on the table, C4K3'],
    ['a number after a word', 'level5 and room5 and top5'],
    ['numeronyms', 'i18n, l10n and a11y'],
    ['two letters', 'A7 and m3'],
    ['addresses', 'https://c4k3.com/b00k and w00d@t4bl3.org, l457'],
    ['codes', 'iphone14, covid19, B055'],
    ['nothing beside digits', 'It is 5 o clock'],
  ])('%s: %s', (_, text) => {
    expect(readLeetspeakTexts(new PlacedText(text)).text).toBe(text);
  });
});
