/** Cuts a segment into parts that the model can read at once, mostly one. What the model is given are texts: it tokenises them itself. */
import type { ReadSegment } from '../../text/read-text.js';
import { remembering } from '../../text/disguises/remembered-words.js';
import type { Placed } from '../classifier.js';
import { codePointBoundary, FRAME_TOKENS, groupsOf, type TokenizedPiece } from '../sequences.js';

export interface TextSequence extends Placed {
  /** Of its words, each alone. */
  readonly tokens: number;
  /** What the model is to read. */
  readonly text: string;
}

export function tokensOf({ tokens }: TextSequence): number {
  return tokens;
}

/** Words: the package's own tokenizer parts at spaces, and other white space and control characters are unknown to it. */
const WORD = /[^\s\p{Cc}]+/gu;
const BETWEEN_WORDS = /[\s\p{Cc}]+/gu;
const VISIBLE = /[^\p{Cf}]/u;

/** Its time grows with the square of the length, so that longer words are halved before they are tokenised. */
const MAX_WORD_LENGTH = 1000;

/** Few characters make a token more than this long. Bounds what a segment may hold beside its words. */
const MAX_CHARACTERS_PER_TOKEN = 8;

const REMEMBERED = { most: 50_000, longest: 24 };

/** @param encode gives the ids of a text, as the model will see them */
export function createTextCutter(
  encode: (text: string) => readonly number[],
  maxTokens: number,
): (segment: ReadSegment, index: number) => TextSequence[] {
  const room = maxTokens - FRAME_TOKENS;
  const idsOf = remembering(REMEMBERED, encode);

  function append(text: string, start: number, end: number, pieces: TokenizedPiece[]): void {
    const ids = end - start > MAX_WORD_LENGTH ? undefined : idsOf(text.slice(start, end));
    const middle = codePointBoundary(text, start + Math.ceil((end - start) / 2));
    if ((ids === undefined || ids.length > room) && middle < end) {
      append(text, start, middle, pieces);
      append(text, middle, end, pieces);
    } else if (ids !== undefined) {
      pieces.push({ start, end, ids });
    }
  }

  /** As it stands, so that it is judged exactly as the package judges it: unless blanks make it too long. */
  function fitsWhole(text: string): boolean {
    return text.length <= maxTokens * MAX_CHARACTERS_PER_TOKEN && encode(text).length <= room;
  }

  return ({ text, start, end }, segment) => {
    const pieces: TokenizedPiece[] = [];
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (VISIBLE.test(word)) append(text, index, index + word.length, pieces);
    }
    const parts = pieces.length === 0 ? [[]] : groupsOf(pieces, room, ({ ids }) => ids.length);
    const whole = parts.length === 1 && fitsWhole(text) ? text : undefined;
    return parts.map((part) => ({
      segment,
      start,
      end,
      tokens: part.reduce((sum, { ids }) => sum + ids.length, 0),
      text: whole ?? text.slice(part[0]?.start ?? 0, part.at(-1)?.end ?? 0).replaceAll(BETWEEN_WORDS, ' '),
    }));
  };
}
