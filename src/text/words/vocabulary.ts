/** Reads the lists of words: frequent ones of the languages that are served, and those that people hide. */
import { readLines } from '../tables.js';
import { createWordTrie } from './word-trie.js';

/** Some of the languages that are served, a bit for each. */
export type Languages = number;
export const ANY_LANGUAGE: Languages = ~0;

export const CODES: string[] = [];

/** A bit for each code, parted by spaces. */
function languagesNamed(codes: string): Languages {
  return codes.split(' ').reduce((named, code) => {
    if (!CODES.includes(code)) CODES.push(code);
    return named | (1 << CODES.indexOf(code));
  }, 0);
}

interface Words {
  /** In the order of their UTF-16 units. */
  readonly words: readonly string[];
  /** How many words of a language are more frequent, or likelier hidden. */
  readonly ranks: Uint16Array;
  readonly languages: Int32Array;
}

function readFrequentWords(file: URL): Words {
  const lines = readLines(file);
  const ranks = new Uint16Array(lines.length);
  const languages = new Int32Array(lines.length);
  const named = new Map<string, Languages>();
  const words = lines.map((line, index) => {
    const end = line.indexOf(' ');
    const rankEnd = line.indexOf(' ', end + 1);
    const codes = line.slice(rankEnd + 1);
    const known = named.get(codes) ?? languagesNamed(codes);
    named.set(codes, known);
    ranks[index] = Number(line.slice(end + 1, rankEnd));
    languages[index] = known;
    return line.slice(0, end);
  });
  return { words, ranks, languages };
}

function readHiddenWords(file: URL): Words {
  const found = new Map<string, { readonly rank: number; readonly languages: Languages }>();
  for (const line of readLines(file)) {
    const [code = '', ...words] = line.split(' ');
    for (const word of words) {
      const { rank, languages } = found.get(word) ?? { rank: found.size, languages: 0 };
      found.set(word, { rank, languages: languages | languagesNamed(code) });
    }
  }
  const words = [...found.keys()].sort();
  return {
    words,
    ranks: Uint16Array.from(words, (word) => found.get(word)?.rank ?? 0),
    languages: Int32Array.from(words, (word) => found.get(word)?.languages ?? 0),
  };
}

/** They tell words apart from codes, and where words end that were run together. */
export const { words, ranks, languages } = readFrequentWords(new URL('frequent.txt', import.meta.url));
/** Words that people hide with symbols, digits and spaces. Where a mask leaves a choice the first that fits wins. */
export const hidden = readHiddenWords(new URL('masked.txt', import.meta.url));
export const frequent = createWordTrie(words, ranks);
export const masked = createWordTrie(hidden.words, hidden.ranks);
