/** Promises of the share of letters that a model cannot know. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foreignLetterShare } from '../../../src/text/scripts.js';
import { normalise } from '../../../src/text/normalise.js';

const ofLatinModel = foreignLetterShare(['Latin']);
const shareOf = (text: string): number | undefined => ofLatinModel(normalise(text));

describe('the share of letters of scripts that the model does not know', () => {
  it.each([
    ['Russian', 'Ты тупая мразь, сдохни'],
    ['Greek', 'Είσαι ηλίθιος, σκάσε'],
    ['Chinese', '你是个白痴，去死吧'],
    ['Japanese', 'お前は馬鹿だ、消えろ'],
    ['Korean', '너는 바보야, 꺼져'],
    ['Korean laughter', 'ㅋㅋㅋㅋ'],
    ['Arabic', 'أنت غبي، اخرس'],
    ['Hebrew', 'אתה אידיוט, שתוק'],
    ['Hindi', 'तुम मूर्ख हो, चुप रहो'],
    ['Thai', 'คุณโง่มาก หุบปาก'],
    ['Georgian', 'შენ სულელი ხარ'],
    ['a rare script beyond the basic plane', '𐐆𐐌𐐖𐐤'],
  ])('is all of a text of %s', (_language, text) => {
    expect(shareOf(text)).toBe(1);
  });

  it.each([
    ['nothing', ''],
    ['emoji', '👩‍👩‍👧‍👦🏳️‍🌈❤️👍🏽'],
    ['numbers and punctuation', '10:15 – 12 % (§ 4)… ½ №'],
    ['symbols', '█ ► ◆ ░ ▓ ║ ◇'],
    ['lone surrogates and controls', '\ud83d \ude00\u0000\u007f'],
  ])('is none of a text without letters: %s', (_what, text) => {
    expect(shareOf(text)).toBeUndefined();
  });

  it.each([
    ['German', 'Der Hund schläft, größer als früher'],
    ['Vietnamese', 'Bạn thật ngu ngốc, đồ điên'],
    ['Turkish', 'Sen aptal mısın, İstanbul'],
    ['stacked marks', 'you are an i\u0336d\u0336i\u0336o\u0336t\u0336'],
    ['styled letters', '𝓼𝓽𝓾𝓹𝓲𝓭 ⓘⓓⓘⓞⓣ ｓｈｕｔ ｕｐ'],
    ['look-alike letters of Cyrillic and Greek', 'уоu аrе а ѕtuріd іdіоt ναnіѕh'],
    ['letters that all scripts use', '5 µm'],
  ])('is nothing of a text of %s', (_what, text) => {
    expect(shareOf(text)).toBe(0);
  });

  it('counts letters, and neither marks, digits nor spaces', () => {
    expect(ofLatinModel('ab 12 где! कि')).toBe(4 / 6);
    expect(ofLatinModel('😀🎉🎉🎉 да no')).toBe(0.5);
    expect(ofLatinModel('𠮷a')).toBe(0.5);
  });

  it('takes a letter that several scripts use for known where one of them is', () => {
    expect(ofLatinModel('ー')).toBe(1);
    expect(foreignLetterShare(['Latin', 'Katakana'])('ラーメンー')).toBe(0);
  });

  it('is between 0 and 1 for any text, and 0 where every script of it is known', () => {
    const ofTwo = foreignLetterShare(['Latin', 'Cyrillic']);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [ofOne = 0, others = 0] = [ofLatinModel(text), ofTwo(text)];
        expect(ofOne).toBeGreaterThanOrEqual(others);
        expect(ofOne).toBeLessThanOrEqual(1);
        expect(others).toBeGreaterThanOrEqual(0);
      }),
    );
    expect(ofTwo('Привет, world')).toBe(0);
  });
});
