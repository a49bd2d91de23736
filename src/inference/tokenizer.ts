/**
 * Turns a text into the ids of a tokenizer file piece by piece, keeping where in the text each piece stands. Knows both kinds of file that
 * our networks have, WordPiece and Unigram, and nothing of sequences or networks.
 */
import { Tokenizer } from '@huggingface/tokenizers';
import { remembering } from '../text/disguises/remembered-words.js';
import { codePointBoundary, type TokenizedPiece } from './sequences.js';
import { createUnigram } from './unigram.js';
import { createWordPiece, MAX_WORD_CHARACTERS } from './word-piece.js';

export interface TextTokenizer {
  readonly classifyId: number;
  readonly separatorId: number;
  /** Stands for a word, or with Unigram a character, that the vocabulary cannot spell: nearly always of another script. */
  readonly unknownId: number;
  /** Pieces in text order, each of 1 to `maxPieceIds` ids. Their ids joined are the ids of the whole text. */
  tokenize(text: string): TokenizedPiece[];
}

/** The token that stands for what a vocabulary cannot spell. */
const UNKNOWN = '[UNK]';
const CLASSIFY = '[CLS]';
const SEPARATOR = '[SEP]';
const SPECIAL_TOKENS: ReadonlySet<string> = new Set(['[PAD]', UNKNOWN, CLASSIFY, SEPARATOR]);

/** What the kinds of tokenizer do each in their own way. */
interface Kind {
  /** What is tokenised alone, because no token reaches beyond it. */
  readonly stretch: RegExp;
  readonly idsOf: (stretch: string) => readonly number[];
  /** A stretch that is too long for one piece, or not to be read as one, in several. */
  readonly cut: (
    text: string,
    whole: TokenizedPiece,
    read: (start: number, end: number) => readonly number[],
  ) => TokenizedPiece[];
}

const REMEMBERED = { most: 50_000, longest: 24 };

/**
 * @param json the parsed tokenizer.json
 * @param maxPieceIds the most ids that one piece may have; longer stretches are cut, so that nothing is lost in a sequence
 * @throws Error where it is of neither kind, or lacks a special token
 */
export function createTextTokenizer(json: unknown, maxPieceIds: number): TextTokenizer {
  if (!isTokenizerFile(json)) throw new Error('tokenizer.json has no model of the types that we can read');
  const { model } = json;
  // The package builds a trie of the pieces of a Unigram: it is given none but the special ones.
  const tokenizer = new Tokenizer(
    model.type === 'Unigram'
      ? { ...json, model: { ...model, vocab: model.vocab.slice(0, SPECIAL_TOKENS.size) } }
      : json,
    {},
  );
  const idOf = (token: string): number => {
    const id = tokenizer.token_to_id(token);
    if (id === undefined) throw new Error(`tokenizer.json has no token ${token}`);
    return id;
  };
  const unknownId = idOf(UNKNOWN);
  const { stretch, idsOf, cut } =
    model.type === 'Unigram'
      ? unigramKind(tokenizer, model, maxPieceIds)
      : wordPieceKind(tokenizer, model, maxPieceIds, unknownId);

  const recall = remembering(REMEMBERED, idsOf);

  return {
    classifyId: idOf(CLASSIFY),
    separatorId: idOf(SEPARATOR),
    unknownId,
    tokenize(text) {
      const read = (start: number, end: number): readonly number[] => recall(text.slice(start, end));
      return Array.from(text.matchAll(stretch)).flatMap(({ 0: found, index: start }) => {
        const end = start + found.length;
        return cut(text, { start, end, ids: read(start, end) }, read);
      });
    },
  };
}

function wordPieceKind(
  tokenizer: Tokenizer,
  { continuing_subword_prefix: continuingPrefix }: WordPieceModel,
  maxPieceIds: number,
  unknownId: number,
): Kind {
  tokenizer.model.encode = createWordPiece(tokenizer.model.tokens_to_ids.keys(), continuingPrefix, UNKNOWN);
  return {
    // BERT's normaliser removes control and format characters before it looks for whitespace: U+000B, U+0085 or U+FEFF, which
    // JavaScript's \s has or Unicode calls whitespace, do not part words.
    stretch: /[^\t\n\r\p{Z}]+/gu,
    idsOf: (stretch) => tokenizer.encode(asTrained(stretch), { add_special_tokens: false }).ids,
    cut: function halve(text, whole, read): TokenizedPiece[] {
      const { start, end, ids } = whole;
      const hidesText = end - start > MAX_WORD_CHARACTERS && ids.includes(unknownId);
      if (end - start > 1 && (ids.length > maxPieceIds || hidesText)) {
        const middle = codePointBoundary(text, start + Math.ceil((end - start) / 2));
        if (middle < end) {
          return [
            ...halve(text, { start, end: middle, ids: read(start, middle) }, read),
            ...halve(text, { start: middle, end, ids: read(middle, end) }, read),
          ];
        }
      }
      return ids.length > 0 ? [whole] : [];
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

/** Has ids for any stretch, of any length, so that a long one can be cut between two ids: its pieces all stand where it stands. */
function unigramKind(tokenizer: Tokenizer, { vocab }: UnigramModel, maxPieceIds: number): Kind {
  const { tokens_to_ids: ids } = tokenizer.model;
  vocab.forEach(([piece], id) => {
    // Added tokens are there already.
    if (!ids.has(piece)) ids.set(piece, id);
  });
  tokenizer.model.encode = createUnigram({
    pieces: vocab.filter(([piece]) => !SPECIAL_TOKENS.has(piece)),
    unknown: UNKNOWN,
  });
  return {
    // As Python parts words. The package parts them at U+FEFF as well, and drops it: it is unknown in Python, and unknown is not read.
    stretch: /[^\p{White_Space}]+/gu,
    idsOf: (stretch) => tokenizer.encode(stretch, { add_special_tokens: false }).ids,
    cut(_text, whole) {
      const parts = Math.ceil(whole.ids.length / maxPieceIds);
      const size = Math.ceil(whole.ids.length / parts);
      return Array.from({ length: parts }, (_, part) => ({
        ...whole,
        ids: whole.ids.slice(part * size, (part + 1) * size),
      }));
    },
  };
}

/**
 * What we read ourselves of a file; all else in it is for the package. Checked by hand: a worker would take as long to load zod as to load all of
 * our own code.
 */
interface TokenizerFile {
  readonly model: WordPieceModel | UnigramModel;
}

interface WordPieceModel {
  readonly type: 'WordPiece';
  readonly unk_token: typeof UNKNOWN;
  readonly continuing_subword_prefix: string;
}

interface UnigramModel {
  readonly type: 'Unigram';
  /** By id. */
  readonly vocab: readonly (readonly [piece: string, logProbability: number])[];
}

function isTokenizerFile(json: unknown): json is TokenizerFile {
  return isObject(json) && (isWordPiece(json.model) || isUnigram(json.model));
}

function isWordPiece(model: unknown): model is WordPieceModel {
  return (
    isObject(model) &&
    model.type === 'WordPiece' &&
    model.unk_token === UNKNOWN &&
    typeof model.continuing_subword_prefix === 'string'
  );
}

function isUnigram(model: unknown): model is UnigramModel {
  return isObject(model) && model.type === 'Unigram' && Array.isArray(model.vocab) && model.vocab.every(isPiece);
}

function isPiece(entry: unknown): boolean {
  return Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string' && typeof entry[1] === 'number';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
