/**
 * What we read ourselves of a tokenizer file (Hugging Face format); all else in it is for the package. Checked by hand: a worker would take as
 * long to load zod as to load all of our own code.
 */

/** The token that stands for what a vocabulary cannot spell. */
export const UNKNOWN = '[UNK]';

export interface TokenizerFile {
  readonly model: WordPieceModel | UnigramModel;
}

export interface WordPieceModel {
  readonly type: 'WordPiece';
  readonly unk_token: typeof UNKNOWN;
  readonly continuing_subword_prefix: string;
}

export interface UnigramModel {
  readonly type: 'Unigram';
  /** By id. */
  readonly vocab: readonly (readonly [piece: string, logProbability: number])[];
}

export function isTokenizerFile(json: unknown): json is TokenizerFile {
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
