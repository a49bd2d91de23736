/** Eight ways in which people hide words from a filter. Each keeps the text readable for a person. */
import type { Random } from './random.js';

export interface Disguise {
  readonly name: string;
  /** Share of the words, of four letters and more, that are changed; the longest always is. */
  readonly share: number;
  readonly word: (word: string, random: Random) => string;
}

const LEET: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'о',
  p: 'р',
  s: 'ѕ',
  x: 'х',
  y: 'у',
};
const ZERO_WIDTH = ['\u200B', '\u200C', '\u2060'];
const MARKS = ['\u0301', '\u0308', '\u0336', '\u0323'];

export const DISGUISES: readonly Disguise[] = [
  { name: 'leetspeak', share: 0.5, word: (word) => replaced(word, LEET) },
  { name: 'look-alike letters', share: 0.5, word: (word) => replaced(word, LOOK_ALIKES) },
  {
    name: 'spaced letters',
    share: 0.3,
    word: (word, random) => Array.from(word).join(random.pick([' ', '.', '-', '_'])),
  },
  { name: 'zero-width characters', share: 0.5, word: (word, random) => interspersed(word, ZERO_WIDTH, random) },
  { name: 'combining marks', share: 0.5, word: (word, random) => interspersed(word, MARKS, random) },
  { name: 'stretched letters', share: 0.3, word: stretched },
  { name: 'swapped letters', share: 0.3, word: swapped },
  { name: 'masked letter', share: 0.3, word: masked },
];

const WORD = /\p{L}{4,}/gu;

export function disguised(text: string, { share, word }: Disguise, random: Random): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(WORD), ([found]) => found.length));
  return text.replace(WORD, (found) =>
    found.length === longest || random.next() < share ? word(found, random) : found,
  );
}

function replaced(word: string, table: Readonly<Record<string, string>>): string {
  return Array.from(word, (letter) => table[letter.toLowerCase()] ?? letter).join('');
}

function interspersed(word: string, marks: readonly string[], random: Random): string {
  return Array.from(word, (letter) => letter + random.pick(marks)).join('');
}

function stretched(word: string, random: Random): string {
  const at = random.below(word.length);
  return word.slice(0, at) + word.charAt(at).repeat(2 + random.below(3)) + word.slice(at + 1);
}

/** Two neighbours change places, the last letter among them; the first one stays, as a reader needs it most. */
function swapped(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 2);
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
}

function masked(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 2);
  return word.slice(0, at) + random.pick(['*', '#', '@']) + word.slice(at + 1);
}
