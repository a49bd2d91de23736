/** Promises of an operator's terms: found in any script and disguise, as whole words, and where they stand in the text as sent. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalise } from '../../../../src/text/normalise.js';
import { readText } from '../../../../src/text/read-text.js';
import { foldText } from '../../../../src/text/terms/folded-text.js';
import { termsOf } from '../../../support/terms/compiled-terms.js';

/** What of a text as sent is found of one blocked term. */
function found(term: string, text: string, ignored: readonly string[] = []): string[] {
  const { blocked = [] } = readText(text, termsOf({ blocked: [term], ignored }));
  return blocked.map(({ start, end }) => text.slice(start, end));
}

describe('a term is found', () => {
  it.each([
    ['Latin', 'widgeto', 'What a widgeto that is.', 'widgeto'],
    ['Cyrillic', 'виджето', 'Какой виджето, право.', 'виджето'],
    ['Greek', 'καλός', 'Είναι καλός άνθρωπος.', 'καλός'],
    ['Arabic', 'حمار', 'هذا حمار كبير', 'حمار'],
    ['Hebrew', 'חמור', 'איזה חמור גדול', 'חמור'],
    ['Devanagari', 'मूर्ख', 'वह मूर्ख है', 'मूर्ख'],
    ['Bengali', 'গাধা', 'সে গাধা বটে', 'গাধা'],
    ['Hangul', '바보', '너는 바보 야', '바보'],
    ['Thai', 'ไอ้บ้า', 'มันคือไอ้บ้าจริงๆ', 'ไอ้บ้า'],
    ['Khmer', 'ឆ្កែ', 'នេះឆ្កែធំ', 'ឆ្កែ'],
    ['Han', '笨蛋', '他是笨蛋吗', '笨蛋'],
    ['kana', 'バカ', 'あいつはバカだ', 'バカ'],
  ])('in %s', (_script, term, text, expected) => {
    expect(found(term, text)).toEqual([expected]);
  });

  it.each([
    ['capitals', 'widgeto', 'WidGETO'],
    ['accents in the text', 'widgeto', 'Ŵïdgétö'],
    ['accents in the term', 'wídgetó', 'widgeto'],
    ['ß and ss', 'Straße', 'STRASSE'],
    ['Turkish letters without a dot', 'ışık', 'isik'],
    ['Turkish capitals with a dot', 'istanbul', 'İSTANBUL'],
    ['a final sigma', 'ΚΑΛΟΣ', 'καλός'],
    ['ё and е', 'ёлка', 'ЕЛКА'],
    ['Arabic vowel points', 'حمار', 'حِمَار'],
    ['Hebrew points', 'חמור', 'חֲמוֹר'],
    ['an Indian dot', 'सड़क', 'सडक'],
  ])('whatever its case and accents: %s', (_what, term, text) => {
    expect(found(term, text)).toEqual([text]);
  });

  it('but not where a letter is another one', () => {
    expect(found('мой', 'мои')).toEqual([]);
    expect(found('कम', 'काम')).toEqual([]);
    expect(found('मूर्ख', 'मूर्खों')).toEqual([]);
  });

  it.each([
    'w1dg3t0',
    'w!dgeto',
    'widg€to',
    'w i d g e t o',
    'w.i.d.g.e.t.o',
    'wi-dgeto',
    'w*dgeto',
    'wiiiidgetooo',
    'wіdgеtо',
    'wid\u200bgeto',
    'ｗｉｄｇｅｔｏ',
    'Ⓦⓘⓓⓖⓔⓣⓞ',
    'w\u0336i\u0336d\u0336g\u0336e\u0336t\u0336o',
    '<b>wid</b>geto',
  ])('disguised as %s, although no dictionary has it', (disguised) => {
    const text = `I like ${disguised} very much`;
    // A tag before it is no part of it.
    expect(found('widgeto', text)).toEqual([disguised.replace(/^<b>/u, '')]);
  });

  it.each(['пpивeт', 'п р и в е т', 'п*ивет', 'ПРИВЕЕЕЕТ', 'привет'])('disguised in Cyrillic as %s', (disguised) => {
    expect(found('привет', `это ${disguised} снова`)).toEqual([disguised]);
  });

  it('as it is written, also where its text is undisguised to something else', () => {
    expect(found('рот', 'you рот in English text is here')).toEqual(['рот']);
    expect(found('statt', 'statt in an English text that is here')).toEqual(['statt']);
    expect(found('kys', 'kys now')).toEqual(['kys']);
    expect(found('b1tching', 'b1tching and bitching')).toEqual(['b1tching', 'bitching']);
  });

  it('as whole words alone', () => {
    expect(found('cunt', 'Scunthorpe, cunts')).toEqual([]);
    expect(found('ass', 'assess the class: an ass, "ass".')).toEqual(['ass', 'ass']);
    expect(found('b12', 'vitamin b12, b123')).toEqual(['b12']);
    expect(found('Dick', "Dick's")).toEqual(['Dick']);
    expect(found('hell', "he'll")).toEqual([]);
  });

  it.each([
    ['cunt*', 'cunt cunts scunt', ['cunt', 'cunts']],
    ['*phobe', 'phobe transphobe phobes', ['phobe', 'transphobe']],
    ['*zorg*', 'zorg xzorg zorgy xzorgy zrg', ['zorg', 'xzorg', 'zorgy', 'xzorgy']],
    ['un*able', 'unable unbearable unables table', ['unable', 'unbearable']],
    ['ab*ba', 'aba abba ab', ['abba']],
    ['kill* your* cat', 'killing  yours cat, kill a cat', ['killing  yours cat']],
    ['हरा*', 'हरामी हर', ['हरामी']],
    ['바보*', '바보는 박보', ['바보는']],
    ['笨*', '他笨吗', ['笨']],
  ])('with a * for letters of the same word: %s', (term, text, expected) => {
    expect(found(term, text)).toEqual(expected);
  });

  it('with any white space or punctuation between its words, but for the end of a sentence', () => {
    expect(found('black magic', 'black-magic, black\n  magic, black, magic')).toEqual([
      'black-magic',
      'black\n  magic',
      'black, magic',
    ]);
    expect(found('black magic', 'It was black. Magic is white.\n\nblack\n\nmagic')).toEqual([]);
    expect(found('Dr. Dre', 'I heard Dr. Dre there')).toEqual(['Dr. Dre']);
    expect(found('笨蛋', '他很笨。蛋很好吃')).toEqual([]);
    expect(found('a.b-c', 'a b c')).toEqual(['a b c']);
  });

  it('where it is or has symbols and emoji', () => {
    expect(found('🍆', 'eat🍆now')).toEqual(['🍆']);
    expect(found('👍', 'so 👍🏽')).toEqual(['👍🏽']);
    expect(found('👨‍👩‍👧', 'a 👨‍👩‍👧 b')).toEqual(['👨‍👩‍👧']);
    expect(found('C++', 'C and C++')).toEqual(['C++']);
    expect(found('c#', 'c, c#')).toEqual(['c#']);
    expect(found('AT&T', 'at&amp;t')).toEqual(['at&amp;t']);
    expect(found('#metoo', 'metoo #MeToo')).toEqual(['#MeToo']);
  });
});

describe('of several terms', () => {
  it('the longest is told, by its number in its list', () => {
    const terms = termsOf({ blocked: ['black', '***', 'black magic', 'magic', 'BLACK'], ignored: [] });
    expect(readText('black magic magic', terms).blocked).toEqual([
      { kind: 'blocked', term: 2, start: 0, end: 11 },
      { kind: 'blocked', term: 3, start: 12, end: 17 },
    ]);
    expect(readText('black', terms).blocked?.[0]?.term).toBe(0);
  });

  it('an ignored one protects what it covers, and no more', () => {
    expect(found('*cunt*', 'Scunthorpe is no cunt', ['Scunthorpe'])).toEqual(['cunt']);
    expect(found('magic', 'black magic woman, magic', ['black magic woman'])).toEqual(['magic']);
    expect(found('black magic', 'black magic', ['magic'])).toEqual(['black magic']);
    expect(found('dick*', 'dick, dickens', ['Dickens'])).toEqual(['dick']);
  });
});

const word = fc.oneof(
  fc.constantFrom('widgeto', 'Straße', 'привет', 'मूर्ख', '笨蛋', 'ไอ้บ้า', 'C++', '🍆', 'Dr.', 'kys', 'fuuck', 'I', 'x1'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
);
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const someText = fc
  .array(fc.oneof(word, fc.constantFrom('w1dg3t0', 'w i d', '\u200b', '. ', '-', '\n', '<b>', '&amp;', 'ё')), {
    maxLength: 12,
  })
  .map((parts) => parts.join(' '));

describe('for any text and terms', { timeout: 30_000 }, () => {
  it('places are within the text, in order, and none overlaps another', () => {
    fc.assert(
      fc.property(
        fc.array(phrase, { maxLength: 6 }),
        fc.array(phrase, { maxLength: 3 }),
        someText,
        (blocked, ignored, text) => {
          const reading = readText(text, termsOf({ blocked, ignored }));
          let reached = 0;
          for (const { start, end, term } of reading.blocked ?? []) {
            expect(start).toBeGreaterThanOrEqual(reached);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(blocked[term]).toBeDefined();
            reached = end;
          }
          expect(reached).toBeLessThanOrEqual(text.length);
          reached = 0;
          for (const segment of reading.segments) {
            expect(segment.start).toBeGreaterThanOrEqual(reached);
            expect(segment.end).toBeGreaterThanOrEqual(segment.start);
            reached = segment.end;
          }
          expect(reached).toBeLessThanOrEqual(text.length);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('what is found in a text that nobody disguised is the term, case and accents folded', () => {
    const plain = fc.array(fc.constantFrom('Ab', 'cé', 'ß', 'Он', 'елка', 'मूर्ख', '笨', '蛋', ' ', ' ', '-'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(plain, plain, (termParts, textParts) => {
        const [term, text] = [termParts.join(''), textParts.join('')];
        if (normalise(term) !== term) return;
        // As `ßß`, whose four s are stretched letters.
        if (/(.)\1\1/u.test(String.fromCharCode(...foldText(text).units))) return;
        for (const match of termsOf({ blocked: [term], ignored: [] }).find(text)) {
          const slice = text.slice(match.start, match.end);
          expect(String.fromCharCode(...foldText(slice).units)).toBe(String.fromCharCode(...foldText(term).units));
        }
      }),
    );
  });

  it('a term that stands in a text as it is in the list is found', () => {
    fc.assert(
      fc.property(phrase, (term) => {
        if (foldText(term).starts.length === 0 || term.includes('*')) return;
        const terms = termsOf({ blocked: [term], ignored: [] });
        const text = `we say | ${term} | and no more`;
        if (terms.find(term).isEmpty) return;
        expect(readText(text, terms).blocked, text).not.toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('without terms, and with terms that do not stand in it, a text is read as ever', () => {
    fc.assert(
      fc.property(someText, (text) => {
        const reading = readText(text);
        expect(reading).not.toHaveProperty('blocked');
        for (const terms of [[], ['qqqqqqqq', '...']]) {
          const withTerms = readText(text, termsOf({ blocked: terms, ignored: terms }));
          expect(withTerms).toEqual({ ...reading, blocked: [] });
        }
      }),
    );
  });
});
