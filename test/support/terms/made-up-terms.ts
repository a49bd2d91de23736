/** Made-up terms in five scripts: as many as are asked for, none twice. Their letters are drawn, so that they are words of no language. */
import { createRandom, type Random } from '../../../benchmarks/robustness/random.js';

const ALPHABETS: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзиклмнопрстуфхцчшыэюя',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  'कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह',
  '天地人山水火木金土日月年時分上下左右大小多少新古長高',
];
const SHORTEST = 4;
const MOST_MORE = 7;
/** A Chinese character says about as much as so many letters. */
const LETTERS_PER_CHARACTER = 2.5;
const SEVERAL_WORDS = 0.2;
const WITH_WILDCARD = 0.1;

export function madeUpTerms(count: number, seed = 1): string[] {
  const random = createRandom(seed);
  const terms = new Set<string>();
  while (terms.size < count) {
    const alphabet = random.pick(ALPHABETS);
    const words = [wordOf(random, alphabet)];
    if (random.next() < SEVERAL_WORDS) words.push(wordOf(random, alphabet));
    terms.add(`${words.join(' ')}${random.next() < WITH_WILDCARD ? '*' : ''}`);
  }
  return [...terms];
}

function wordOf(random: Random, alphabet: string): string {
  const letters = Array.from(alphabet);
  const length = SHORTEST + random.below(MOST_MORE);
  const isHan = /\p{sc=Han}/u.test(alphabet);
  return Array.from({ length: isHan ? Math.ceil(length / LETTERS_PER_CHARACTER) : length }, () =>
    random.pick(letters),
  ).join('');
}
