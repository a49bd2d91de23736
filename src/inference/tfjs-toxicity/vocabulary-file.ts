/** Reads `vocab.json`, the word pieces of the Universal Sentence Encoder. Knows nothing of how a text is cut into them. */
import { z } from 'zod';

/** Pieces and their scores, by id. */
export type Vocabulary = [string, number][];

/** The package takes the first six as reserved, and finds unknown characters by the length of the first. */
const RESERVED_PIECES = 6;

const vocabularySchema = z.array(z.tuple([z.string(), z.number()])).min(RESERVED_PIECES + 1);

/** U+2581, which the package writes for a space. */
const SPACE_PIECE = '▁';

/** @throws Error that says what is wrong with the file */
export function parseVocabulary(json: string): Vocabulary {
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch {
    throw new Error('it is not JSON');
  }
  const parsed = vocabularySchema.safeParse(content);
  if (!parsed.success) throw new Error('it is no list of pieces and scores');
  const pieces = parsed.data;
  // Walking back over an unknown character steps by the length of this piece: any other would never end or miss characters.
  if (Array.from(pieces[0]?.[0] ?? '').length !== 1) throw new Error('its first piece is not one character');
  if (!pieces.some(([piece]) => piece.startsWith(SPACE_PIECE))) throw new Error('no piece begins a word');
  return pieces;
}
