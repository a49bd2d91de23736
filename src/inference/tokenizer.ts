/**
 * Turns a text into WordPiece ids piece by piece, keeping where in the text each piece stands. Knows the tokenizer file and
 * nothing of windows or models.
 */
import { Tokenizer } from '@huggingface/tokenizers';
import { copyOf } from './string-copy.js';
import { createWordPiece } from './word-piece.js';

/** A stretch of text without whitespace and its ids. `start` and `end` are UTF-16 offsets into the text. */
export interface TokenizedPiece {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly number[];
}

export interface TextTokenizer {
  readonly classifyId: number;
  readonly separatorId: number;
  /** Stands for a word that the vocabulary cannot spell: nearly always of another script. */
  readonly unknownId: number;
  /** Pieces in text order, each of 1 to `maxPieceIds` ids. Their ids joined are the ids of the whole text. */
  tokenize(text: string): TokenizedPiece[];
}

// BERT's normaliser removes control and format characters before it looks for whitespace: U+000B, U+0085 or U+FEFF, which
// JavaScript's \s has or Unicode calls whitespace, do not part words.
const PIECE = /[^\t\n\r\p{Z}]+/gu;

// WordPiece gives one unknown token for a word of more characters (`max_input_chars_per_word` of the tokenizer file).
const MAX_WORD_CHARACTERS = 100;

const MAX_REMEMBERED_PIECES = 50_000;
const MAX_REMEMBERED_LENGTH = 24;

/**
 * @param definition the parsed tokenizer.json (Hugging Face format)
 * @param maxPieceIds the most ids that one piece may have; longer stretches are cut, so that nothing is lost in a window
 */
export function createTextTokenizer(definition: object, maxPieceIds: number): TextTokenizer {
  const tokenizer = new Tokenizer(definition, {});
  tokenizer.model.encode = createWordPiece({
    pieces: tokenizer.model.tokens_to_ids.keys(),
    continuingPrefix: tokenizer.model.config.continuing_subword_prefix,
    unknown: tokenizer.model.config.unk_token,
    maxWordCharacters: MAX_WORD_CHARACTERS,
  });
  const idOf = (token: string): number => {
    const id = tokenizer.token_to_id(token);
    if (id === undefined) throw new Error(`tokenizer.json has no token ${token}`);
    return id;
  };
  const unknownId = idOf('[UNK]');

  // Few words make up most of any text: remembering them makes tokenising several times faster.
  const remembered = new Map<string, readonly number[]>();
  function idsOf(piece: string): readonly number[] {
    const known = remembered.get(piece);
    if (known !== undefined) return known;
    const ids = tokenizer.encode(asTrained(piece), { add_special_tokens: false }).ids;
    if (piece.length <= MAX_REMEMBERED_LENGTH) {
      if (remembered.size >= MAX_REMEMBERED_PIECES) remembered.clear();
      remembered.set(copyOf(piece), ids);
    }
    return ids;
  }

  function append(text: string, start: number, end: number, pieces: TokenizedPiece[]): void {
    const ids = idsOf(text.slice(start, end));
    const hidesText = end - start > MAX_WORD_CHARACTERS && ids.includes(unknownId);
    if (end - start > 1 && (ids.length > maxPieceIds || hidesText)) {
      const middle = codePointBoundary(text, start + Math.ceil((end - start) / 2));
      if (middle < end) {
        append(text, start, middle, pieces);
        append(text, middle, end, pieces);
        return;
      }
    }
    if (ids.length > 0) pieces.push({ start, end, ids });
  }

  return {
    classifyId: idOf('[CLS]'),
    separatorId: idOf('[SEP]'),
    unknownId,
    tokenize(text) {
      const pieces: TokenizedPiece[] = [];
      for (const match of text.matchAll(PIECE)) append(text, match.index, match.index + match[0].length, pieces);
      return pieces;
    },
  };
}

const IDEOGRAPHS_BEYOND_16_BITS = /[\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;

/**
 * Makes up for where the package differs from Python's `tokenizers`, with which the model was trained. It lowercases with
 * String.prototype.toLowerCase, which makes a word-final capital sigma ς (Unicode SpecialCasing, Final_Sigma) and not σ; and it
 * misses ideographs of two UTF-16 units when it makes each a token of its own. What is left are marks and punctuation younger
 * than Unicode 8: Python takes them for letters, so that a word with one is unknown to it; here the word can still be read.
 */
function asTrained(piece: string): string {
  return piece.replaceAll('Σ', 'σ').replaceAll(IDEOGRAPHS_BEYOND_16_BITS, ' $& ');
}

/** `offset`, moved behind the low surrogate if it would split a pair. */
function codePointBoundary(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset + 1 : offset;
}
