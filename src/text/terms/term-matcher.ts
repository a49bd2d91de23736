/**
 * Finds an operator's terms in a text. Knows neither verdicts nor the network.
 *
 * A term is found as whole words, whatever their case and accents. White space and punctuation between its words may be any other but
 * the end of a sentence or paragraph, also none where a script has no spaces: there a term is found anywhere. Symbols and emoji are words
 * of their own. A word may have a `*` at its beginning, its end or both, or one within, for any letters and digits, or none, of the same
 * word. An ignored term protects what it covers: a blocked one within it, or as long as it, is not found.
 *
 * Found in spite of signs for letters (w1dg€to), one masked letter (w*dgeto), signs or spaces between all letters (w i d g e t o), signs
 * between some (wi-dgeto), stretched letters and letters of two scripts. Not found: with spaces between some letters only (wid geto), with
 * two masked letters, a `*` at once with one of these but signs for letters, misspelt, inflected without a `*`, or in another script.
 */
import { leetReadings } from './disguised-readings.js';
import { foldText } from './folded-text.js';
import { FoundTerms } from './found-terms.js';
import { parseTerm } from './term.js';
import { TermTrieBuilder } from './term-trie.js';
import { WordPatternsBuilder } from './word-patterns.js';
import { createWordWalk } from './word-walk.js';

export interface TermLists {
  /** Terms that always fail a text. */
  readonly blocked: readonly string[];
  /** Terms that never count. */
  readonly ignored: readonly string[];
}

export interface CompiledTerms {
  /** Where terms stand in a text, by its own offsets. Takes time linear in its length. */
  find(text: string): FoundTerms;
  readonly size: number;
  /** Of the compiled lists, without the terms as written. */
  readonly bytes: number;
}

/** Terms that can never be found (see `parseTermList`) are passed over; the others keep the index that they have in their list. */
export function compileTerms({ blocked, ignored }: TermLists): CompiledTerms {
  const patterns = new WordPatternsBuilder();
  const trie = new TermTrieBuilder();
  for (const [kind, list] of [['blocked', blocked] as const, ['ignored', ignored] as const]) {
    for (const [index, term] of list.entries()) {
      const parsed = parseTerm(term);
      if ('problem' in parsed) continue;
      for (const form of parsed.forms) {
        let node = 0;
        for (const { units, shape, isAfterSentenceEnd } of form) {
          node = trie.child(node, patterns.add(units, shape), shape !== 'whole', isAfterSentenceEnd);
        }
        trie.end(node, kind, index);
      }
    }
  }
  const words = patterns.build();
  const nodes = trie.build();
  const walk = createWordWalk(words, nodes);
  const isEmpty = words.wholeLengths.length === 0 && !words.hasWild;
  return {
    size: blocked.length + ignored.length,
    bytes: words.bytes + nodes.bytes,
    find(text) {
      const found = new FoundTerms();
      if (isEmpty) return found;
      walk(foldText(text), found);
      for (const reading of leetReadings(text)) walk(foldText(reading), found);
      return found;
    },
  };
}
