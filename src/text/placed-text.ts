/**
 * A text that knows where in the text as sent each part of it stands. Every edit goes through it and carries the places along, as in
 * `NormalizedString` of Hugging Face's tokenizers. Knows nothing of why a text is edited.
 */

/** `text.slice(start, end)` of the result stands for the units from `from` to `until` of the text that was edited. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly until: number;
  /** What tells the places within it, counted from `from`; without it they are the borders of the edit. */
  readonly inner: PlacedText | undefined;
}

/** What is read in place of something written: a PlacedText that was made of just that knows the places within it. */
export type Rewriting = string | PlacedText;

/** @param groups what the pattern captured, by number */
export type Replacement = (found: string, at: number, groups: readonly (string | undefined)[]) => Rewriting;

/**
 * Characters that normalisation cannot change or join to others but as one: a character with the marks behind it, and what joins to it without
 * being a mark (vowels and final consonants of Hangul, vowels of Kirat Rai).
 */
const JOINING = '[\\p{M}\\u1160-\\u11FF\\u{16D63}\\u{16D67}-\\u{16D6A}]';
const NORMALISED_APART = new RegExp(`[^\\0-\\xFF]${JOINING}*|[\\0-\\xFF]${JOINING}*`, 'gu');

/** Immutable. Each edit takes time linear in the length of the text; one that changes nothing gives the same object back. */
export class PlacedText {
  readonly text: string;
  /** What was edited; undefined for a text as it was sent, and for one that was joined of others. */
  readonly #source: PlacedText | undefined;
  /** In the order of the text, none overlapping another. Between them nothing was changed. */
  readonly #edits: readonly Edit[];

  /** A text as it was sent. */
  constructor(text: string);
  constructor(text: string, source: PlacedText | undefined, edits: readonly Edit[]);
  constructor(text: string, source?: PlacedText, edits: readonly Edit[] = []) {
    this.text = text;
    this.#source = source;
    this.#edits = edits;
  }

  /** Texts made of the same one, in any order. */
  static join(parts: readonly PlacedText[], separator: string): PlacedText {
    let start = 0;
    const edits = parts.map((inner): Edit => {
      const end = start + inner.text.length;
      const edit = { start, end, from: 0, until: inner.placeOf(inner.text.length, 'end'), inner };
      start = end + separator.length;
      return edit;
    });
    return new PlacedText(parts.map(({ text }) => text).join(separator), undefined, edits);
  }

  /**
   * @param pattern with the flag g, without named groups
   * @param replacement of each match; a string is taken as it is
   */
  replace(pattern: RegExp, replacement: string | Replacement): PlacedText {
    const edits: Edit[] = [];
    let grown = 0;
    const text = this.text.replace(pattern, (found: string, ...rest: (string | undefined)[]) => {
      rest.pop();
      const at = Number(rest.pop());
      const rewriting = typeof replacement === 'string' ? replacement : replacement(found, at, rest);
      const read = textOf(rewriting);
      if (read !== found) {
        const start = at + grown;
        edits.push(editOf(start, start + read.length, at, at + found.length, rewriting));
        grown += read.length - found.length;
      }
      return read;
    });
    return edits.length === 0 ? this : new PlacedText(text, this, edits);
  }

  /** @param pieces all of the text in order, each as it is written and as it is read */
  rewrite(pieces: Iterable<readonly [written: string, read: Rewriting]>): PlacedText {
    const edits: Edit[] = [];
    let text = '';
    let from = 0;
    for (const [written, rewriting] of pieces) {
      const read = textOf(rewriting);
      const until = from + written.length;
      if (read !== written) edits.push(editOf(text.length, text.length + read.length, from, until, rewriting));
      text += read;
      from = until;
    }
    return edits.length === 0 ? this : new PlacedText(text, this, edits);
  }

  normalize(form: 'NFC' | 'NFD'): PlacedText {
    if (this.text.normalize(form) === this.text) return this;
    return this.replace(NORMALISED_APART, (characters) => characters.normalize(form));
  }

  slice(start: number, end: number): PlacedText {
    const { text } = this;
    return this.rewrite([
      [text.slice(0, start), ''],
      [text.slice(start, end), text.slice(start, end)],
      [text.slice(end), ''],
    ]);
  }

  /**
   * Where in the text as sent something stands that begins or ends at an offset, as UTF-16 offsets. What was left out before it begins or
   * after it ends is no part of it.
   */
  placeOf(offset: number, side: 'start' | 'end'): number {
    const place = this.#placeInSource(offset, side);
    return this.#source === undefined ? place : this.#source.placeOf(place, side);
  }

  #placeInSource(offset: number, side: 'start' | 'end'): number {
    const edit = this.#lastEditBefore(offset, side);
    if (edit === undefined) return offset;
    const { start, end, from, until, inner } = edit;
    const isWithin = side === 'start' ? offset < end : offset <= end;
    if (!isWithin) return until + offset - end;
    if (inner !== undefined) return from + inner.placeOf(offset - start, side);
    return side === 'start' ? from : until;
  }

  /** The last edit that begins at or before an offset; where something ends there, before it. */
  #lastEditBefore(offset: number, side: 'start' | 'end'): Edit | undefined {
    const most = side === 'start' ? offset : offset - 1;
    let low = 0;
    let high = this.#edits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#edits[middle]?.start ?? 0) <= most) low = middle + 1;
      else high = middle;
    }
    return this.#edits[low - 1];
  }
}

function textOf(rewriting: Rewriting): string {
  return typeof rewriting === 'string' ? rewriting : rewriting.text;
}

function editOf(start: number, end: number, from: number, until: number, rewriting: Rewriting): Edit {
  return { start, end, from, until, inner: typeof rewriting === 'string' ? undefined : rewriting };
}
