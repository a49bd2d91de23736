/**
 * WordPiece: cuts words into pieces of a vocabulary, the longest first. Knows neither texts nor where words end. It stands in for
 * that of @huggingface/tokenizers, which tries every end of a word for every start and so takes cubic time: a second for 10,000
 * letters in words of a hundred.
 */

/** In code points. A longer word is unknown (`max_input_chars_per_word` of the tokenizer file). */
export const MAX_WORD_CHARACTERS = 100;

/**
 * @param pieces every one; those that cannot begin a word carry the prefix
 * @param unknown stands for a word that cannot be spelled, or is too long
 * @returns the pieces of words, in order, in time linear in their length
 */
export function createWordPiece(
  pieces: Iterable<string>,
  continuingPrefix: string,
  unknown: string,
): (words: readonly string[]) => string[] {
  const first = new Map<string, string>();
  const continuing = new Map<string, string>();
  let longest = 0;
  for (const piece of pieces) {
    first.set(piece, piece);
    longest = Math.max(longest, piece.length);
    if (piece.startsWith(continuingPrefix)) continuing.set(piece.slice(continuingPrefix.length), piece);
  }

  function pieceAt(word: string, start: number): { readonly piece: string; readonly end: number } | undefined {
    const vocabulary = start === 0 ? first : continuing;
    for (let end = Math.min(word.length, start + longest); end > start; end -= 1) {
      const piece = vocabulary.get(word.slice(start, end));
      if (piece !== undefined) return { piece, end };
    }
    return undefined;
  }

  function spell(word: string): readonly string[] {
    if (word.length > MAX_WORD_CHARACTERS && Array.from(word).length > MAX_WORD_CHARACTERS) return [unknown];
    const spelled: string[] = [];
    for (let start = 0; start < word.length;) {
      const found = pieceAt(word, start);
      if (found === undefined) return [unknown];
      spelled.push(found.piece);
      start = found.end;
    }
    return spelled;
  }

  return (words) => words.flatMap(spell);
}
