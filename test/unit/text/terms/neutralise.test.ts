/** Promises of terms that never count: the network reads a neutral word of their kind where they stand, and nothing else changes. */
import { describe, expect, it } from 'vitest';
import { readText } from '../../../../src/text/read-text.js';
import { termsOf } from '../../../support/terms/compiled-terms.js';

function read(text: string, ignored: readonly string[]): { text: string; sent: string }[] {
  const { segments } = readText(text, termsOf({ blocked: [], ignored }));
  return segments.map((segment) => ({ text: segment.text, sent: text.slice(segment.start, segment.end) }));
}

describe('a term that never counts', () => {
  it.each([
    ['Dick is here with dick.', 'Dick', 'Alex is here with radio.'],
    ['HELLO DICK', 'dick', 'HELLO ALEX'],
    ['Where is Scunthorpe?', 'scunthorpe', 'Where is Alex?'],
    ['Привет, Хуан!', 'хуан', 'Привет, Алекс!'],
    ['Ο Κακός ήρθε', 'κακος', 'Ο Άλεξ ήρθε'],
    ['هذا حِمَار كبير', 'حمار', 'هذا راديو كبير'],
    ['איזה חמור גדול', 'חמור', 'איזה רדיו גדול'],
    ['वह मूर्ख है', 'मूर्ख', 'वह रेडियो है'],
    ['সে গাধা বটে', 'গাধা', 'সে রেডিও বটে'],
    ['มันคือไอ้บ้าจริง', 'ไอ้บ้า', 'มันคือวิทยุจริง'],
    ['너는 바보 야', '바보', '너는 라디오 야'],
    ['あいつはバカだ', 'バカ', 'あいつはラジオだ'],
    ['你犬養好', '犬養', '你文字好'],
    ['eat 🍆 now', '🍆', 'eat 📦 now'],
    ['call 1488 now', '1488', 'call radio now'],
    ['D1ck was there', 'Dick', 'Alex was there'],
  ])('is read as a neutral word of its kind: %s', (text, term, expected) => {
    expect(read(text, [term])).toEqual([{ text: expected, sent: text }]);
  });

  it('is replaced only where it stands', () => {
    expect(read('Dicky and Dick', ['Dick'])[0]?.text).toBe('Dicky and Alex');
    expect(read('black magic, magic', ['black magic'])[0]?.text).toBe('radio, magic');
  });

  it('leaves the places of the segments right, however long it is and whatever is disguised', () => {
    const parts = [
      'Scunthorpe is a town in North Lincolnshire.',
      'You are an 1d10t in S c u n t h o r p e!',
      'Go to Scunthorpe.',
    ];
    const segments = read(parts.join(' '), ['Scunthorpe']);
    expect(segments.map(({ sent }) => sent)).toEqual(parts);
    expect(segments.map(({ text }) => text)).toEqual([
      'Alex is a town in North Lincolnshire.',
      'You are an idiot in Alex!',
      'Go to Alex.',
    ]);
  });

  it('stays in the text whose letters are counted', () => {
    const terms = termsOf({ blocked: [], ignored: ['Dick'] });
    expect(readText('D1ck here', terms).normalised).toBe('Dick here');
  });
});
