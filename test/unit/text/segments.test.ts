import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentsOf } from '../../../src/text/segments.js';

const textsOf = (text: string): string[] => segmentsOf(text).map(({ start, end }) => text.slice(start, end));

/** Texts as people write them, and what they write to confuse: marks, spaces, emoji, several scripts, lone surrogates. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '. ',
        '! ',
        '…',
        '\n',
        ' ',
        ', ',
        '。',
        '؟ ',
        'a. ',
        'Mr. ',
        'you idiot',
        ' привет ',
        '今日は',
        'สวัสดี',
        ' «',
        '🖕🏽',
        '\uD83D',
        'x'.repeat(60),
      ),
      fc.lorem({ maxCount: 30 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

describe('segments', () => {
  it.each([
    ['You are nice. go away! Really?! ok', ['You are nice.', 'go away! Really?! ok']],
    [
      'What a lovely day it was. You should be ashamed of yourself',
      ['What a lovely day it was.', 'You should be ashamed of yourself'],
    ],
    ['first line of it\nsecond line of it', ['first line of it', 'second line of it']],
    [
      'He said "go to hell right now." Then he left the house.',
      ['He said "go to hell right now."', 'Then he left the house.'],
    ],
    ['今日はいい天気です。お前は死ね！ばか', ['今日はいい天気です。', 'お前は死ね！', 'ばか']],
    ['तुम बहुत अच्छे आदमी हो। तुम यहाँ से चले जाओ', ['तुम बहुत अच्छे आदमी हो।', 'तुम यहाँ से चले जाओ']],
    ['هل أنت بخير يا صديقي؟ أنا بخير اليوم', ['هل أنت بخير يا صديقي؟', 'أنا بخير اليوم']],
  ])('end with a sentence: %s', (text, expected) => {
    expect(textsOf(text)).toEqual(expected);
  });

  it.each([
    'Mr. Smith and Dr. J. Jones agree with it',
    'it costs 3.14 euros at example.com/a?b=c now',
    '1. the first thing on the list',
    'you are ... such ... an idiot',
    'e.g. this one and that one',
  ])('do not end within one: %s', (text) => {
    expect(textsOf(text)).toEqual([text]);
  });

  it('join marks without words to a neighbour', () => {
    expect(textsOf('Such a nice day!\n!!! ???\nAnother line of text')).toEqual([
      'Such a nice day!\n!!! ???',
      'Another line of text',
    ]);
    expect(textsOf('***\nSuch a nice day')).toEqual(['***\nSuch a nice day']);
    expect(textsOf('...')).toEqual(['...']);
    expect(textsOf('Such a nice day!\n🖕🖕🖕🖕🖕🖕🖕')).toEqual(['Such a nice day!', '🖕🖕🖕🖕🖕🖕🖕']);
  });

  it('join tiny neighbours and leave a tiny one beside a longer one alone', () => {
    expect(textsOf('You. Are. An. Idiot.')).toEqual(['You. Are. An. Idiot.']);
    expect(textsOf('This was a wonderful evening. Die. I hope to see you again soon.')).toEqual([
      'This was a wonderful evening.',
      'Die.',
      'I hope to see you again soon.',
    ]);
  });

  it('leave a sentence between long noise alone', () => {
    const noise = Array.from({ length: 20 }, () => 'qzxk'.repeat(12)).join(' ');
    expect(textsOf(`${noise} I will kill you ${noise}`)).toContain('I will kill you');
    const emoji = '😀'.repeat(100);
    expect(textsOf(`${emoji} I will kill you ${emoji}`)).toContain('I will kill you');
  });

  it.each([
    ['今日はいい天気ですね', 'とても楽しい一日でした'],
    ['今天天气很好我们去公园', '大家都很高兴'],
    ['आज का दिन बहुत अच्छा है', 'हम सब साथ में खुश हैं'],
    ['Σήμερα είναι μια όμορφη μέρα', 'και είμαστε όλοι χαρούμενοι'],
    ['اليوم يوم جميل جدا', 'ونحن سعداء معا'],
    ['วันนี้อากาศดีมาก', 'พวกเราทุกคนมีความสุข'],
    ['היום יום יפה מאוד', 'וכולנו שמחים יחד'],
    ['Сегодня прекрасный день', 'и мы все очень рады'],
  ])('end where several words of another script begin: %s', (before, after) => {
    for (const space of [' ', ', ']) {
      const parts = textsOf(`${before}${space}I will kill you${space}${after}`);
      expect(parts).toHaveLength(3);
      expect(parts[1]).toMatch(/^I will kill you,?$/);
    }
    expect(textsOf(`this is such a nice day ${before}`)).toEqual(['this is such a nice day', before]);
  });

  it('begin with the quotes and numbers of what is said in another script', () => {
    expect(textsOf('Он сказал мне так: «you are all idiots» и ушёл')).toEqual([
      'Он сказал мне так:',
      '«you are all idiots» и ушёл',
    ]);
    expect(textsOf('今日はいい天気「I will kill you」とても楽しい')).toEqual([
      '今日はいい天気',
      '「I will kill you」',
      'とても楽しい',
    ]);
  });

  it.each([
    'Я купил новый MacBook Pro вчера вечером',
    '昨日Visual Studioで新しいアプリを作りました',
    '我用 Google Maps 找到了那家餐厅',
    'أرسلت له رسالة على WhatsApp أمس',
    'cпacибo вaм всем большое за пoмoщь',
    'спасибо @somebody @else @another за помощь вам',
    'We ate 寿司 and ラーメン in Tokyo',
  ])('hold names and terms of another script: %s', (text) => {
    expect(textsOf(text)).toEqual([text]);
  });

  it('keep an address with the sentence it stands in', () => {
    const text = `buy it now at https://example.com/${'a'.repeat(60)} for a good price`;
    expect(textsOf(text)).toEqual([text]);
  });

  it('cut what is long at a clause, else at a word, else anywhere but within a character', () => {
    const clauses = Array.from({ length: 12 }, (_, index) => `this is clause number ${index} of them`).join(', ');
    for (const part of textsOf(clauses).slice(0, -1)) expect(part).toMatch(/,$/u);
    const words = 'word '.repeat(200).trim();
    for (const part of textsOf(words)) expect(part).toMatch(/^(?:word )*word$/u);
    for (const part of textsOf('今日はとても楽しい一日でした'.repeat(40))) expect(part.length).toBeLessThanOrEqual(120);
    const emoji = '👩🏽'.repeat(200);
    for (const part of textsOf(emoji)) expect(part).toMatch(/^(?:👩🏽)+$/u);
  });

  it('cover all of any text but whitespace, in order, without overlap', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const segments = segmentsOf(text);
        let end = 0;
        let between = '';
        for (const segment of segments) {
          expect(segment.start).toBeGreaterThanOrEqual(end);
          expect(segment.end).toBeGreaterThan(segment.start);
          between += text.slice(end, segment.start);
          end = segment.end;
        }
        between += text.slice(end);
        expect(between.trim()).toBe('');
        for (const part of textsOf(text)) expect(part).toBe(part.trim());
      }),
    );
  });

  it('are short, and few whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const segments = segmentsOf(text);
        for (const { start, end } of segments) expect(end - start).toBeLessThanOrEqual(240 + marksIn(text));
        expect(segments.length).toBeLessThanOrEqual(256);
      }),
    );
    for (const text of [
      'a. '.repeat(3300),
      'ab! cdefghijklmno? '.repeat(520),
      '.\n'.repeat(5000),
      '你。'.repeat(5000),
    ]) {
      expect(segmentsOf(text).length).toBeLessThanOrEqual(256);
    }
  });
});

/** Marks without words are joined to the sentence beside them, however many they are. */
function marksIn(text: string): number {
  return text.replace(/[^\s\p{P}\p{S}]/gu, '').length;
}
