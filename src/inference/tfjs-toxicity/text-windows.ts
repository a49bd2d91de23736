/** Cuts a text into stretches that the model can read at once. What the model is given are texts: it tokenises them itself. */
import { copyOf } from '../string-copy.js';
import type { TokenizedPiece } from '../tokenizer.js';
import { FRAME_TOKENS, planWindows, type WindowSize } from '../windows.js';

export interface TextWindow {
  /** UTF-16 offsets of the stretch that the window covers. */
  readonly start: number;
  readonly end: number;
  /** Of its words, each alone. */
  readonly tokens: number;
  /** What the model is to read. */
  readonly text: string;
}

export function tokensOf({ tokens }: TextWindow): number {
  return tokens;
}

/** Words: the package's own tokenizer parts at spaces, and other white space and control characters are unknown to it. */
const WORD = /[^\s\p{Cc}]+/gu;
const BETWEEN_WORDS = /[\s\p{Cc}]+/gu;
const VISIBLE = /[^\p{Cf}]/u;

/** Its time grows with the square of the length, so that longer words are halved before they are tokenised. */
const MAX_WORD_LENGTH = 1000;

/** Few characters make a token more than this long. Bounds what a text of one window may hold beside its words. */
const MAX_CHARACTERS_PER_TOKEN = 8;

const MAX_REMEMBERED_WORDS = 50_000;
const MAX_REMEMBERED_LENGTH = 24;

/** @param encode gives the ids of a text, as the model will see them */
export function createTextCutter(
  encode: (text: string) => readonly number[],
  size: WindowSize,
): (text: string) => TextWindow[] {
  const room = size.maxTokens - FRAME_TOKENS;
  const maxWordTokens = room - size.overlapTokens;
  const remembered = new Map<string, readonly number[]>();

  function idsOf(word: string): readonly number[] {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    const ids = encode(word);
    if (word.length <= MAX_REMEMBERED_LENGTH) {
      if (remembered.size >= MAX_REMEMBERED_WORDS) remembered.clear();
      remembered.set(copyOf(word), ids);
    }
    return ids;
  }

  function append(text: string, start: number, end: number, pieces: TokenizedPiece[]): void {
    const ids = end - start > MAX_WORD_LENGTH ? undefined : idsOf(text.slice(start, end));
    const middle = codePointBoundary(text, start + Math.ceil((end - start) / 2));
    if ((ids === undefined || ids.length > maxWordTokens) && middle < end) {
      append(text, start, middle, pieces);
      append(text, middle, end, pieces);
    } else if (ids !== undefined) {
      pieces.push({ start, end, ids });
    }
  }

  /** As it was sent, so that a text of one window is judged exactly as the package judges it: unless blanks make it too long. */
  function wholeText(text: string): string | undefined {
    if (text.length > size.maxTokens * MAX_CHARACTERS_PER_TOKEN) return undefined;
    return encode(text).length <= room ? text : undefined;
  }

  return (text) => {
    const pieces: TokenizedPiece[] = [];
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (VISIBLE.test(word)) append(text, index, index + word.length, pieces);
    }
    const planned = planWindows(pieces, size);
    const whole = planned.length === 1 ? wholeText(text) : undefined;
    return planned.map(({ start, end, ids }) => ({
      start,
      end,
      tokens: ids.length,
      text: whole ?? text.slice(start, end).replaceAll(BETWEEN_WORDS, ' '),
    }));
  };
}

/** `offset`, moved behind the low surrogate if it would split a pair. */
function codePointBoundary(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset + 1 : offset;
}
