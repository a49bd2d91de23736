/**
 * Where in a text stands what stands somewhere in its normalised form. Found by comparing the two, so that no step of the
 * normaliser has to keep account of what it moves.
 */

/** How far one text may be ahead of the other where they differ: a letter with a pile of marks, an HTML entity, a tag. */
const LONGEST_DIFFERENCE = 16;
const UNSEEN = /^[\p{M}\p{C}]$/u;
/** So many characters in a row must be the same until a difference counts as ended: single ones come by chance. */
const SAME_IN_A_ROW = 3;

/** @param side of what stands between two offsets, the one at which it begins or ends: a letter may have been several characters */
export type OffsetOf = (offset: number, side: 'start' | 'end') => number;

/**
 * Takes time linear in the length of the texts.
 *
 * @returns from UTF-16 offsets into the changed text to those of the original; never decreasing
 */
export function alignedOffsets(original: string, changed: string): OffsetOf {
  if (original === changed) return (offset) => offset;
  const one = original.toLowerCase().length === original.length ? original.toLowerCase() : original;
  const other = changed.toLowerCase().length === changed.length ? changed.toLowerCase() : changed;
  /** For each offset of the changed text, how much of the original stands before it, and before what comes next. */
  const ends = new Uint32Array(changed.length + 1);
  const starts = new Uint32Array(changed.length + 1);
  let place = 0;
  let index = 0;
  while (index < other.length) {
    place += unseenAt(one, place, other.charCodeAt(index));
    const { here, there } = differenceAt(one, place, other, index);
    // What differs is taken to go along evenly.
    const steps = Math.max(1, there);
    for (let step = 0; step < steps && index < other.length; step += 1) {
      starts[index] = place + Math.floor((here * step) / steps);
      index += 1;
      ends[index] = Math.min(original.length, place + Math.ceil((here * (step + 1)) / steps));
    }
    place = Math.min(original.length, place + here);
  }
  starts[changed.length] = original.length;
  return (offset, side) => (side === 'start' ? starts[offset] : ends[offset]) ?? original.length;
}

/** How long what nobody sees is at a place where it goes on for longer than a difference may be: thousands of marks, say. Else 0. */
function unseenAt(one: string, place: number, next: number): number {
  let end = place;
  while (end < one.length && one.charCodeAt(end) !== next) {
    const character = String.fromCodePoint(one.codePointAt(end) ?? 0);
    if (!UNSEEN.test(character)) break;
    end += character.length;
  }
  return end - place > LONGEST_DIFFERENCE ? end - place : 0;
}

/** How many characters of each are passed over until both say the same: one of each where they do so already. The fewest in all. */
function differenceAt(
  one: string,
  place: number,
  other: string,
  index: number,
): { readonly here: number; readonly there: number } {
  if (one.charCodeAt(place) === other.charCodeAt(index)) return { here: 1, there: 1 };
  for (let total = 1; total <= 2 * LONGEST_DIFFERENCE; total += 1) {
    for (
      let there = Math.max(0, total - LONGEST_DIFFERENCE);
      there <= Math.min(total, LONGEST_DIFFERENCE);
      there += 1
    ) {
      if (goOnAlike(one, place + total - there, other, index + there)) {
        // Left out of the changed text: it belongs to what comes next.
        return there === 0 ? { here: total + 1, there: 1 } : { here: total - there, there };
      }
    }
  }
  return { here: place < one.length ? 1 : 0, there: 1 };
}

function goOnAlike(one: string, place: number, other: string, index: number): boolean {
  for (let step = 0; step < SAME_IN_A_ROW; step += 1) {
    // One that ends before the other says nothing of where they go on alike.
    if (index + step >= other.length) return place + step >= one.length;
    if (place + step >= one.length || one.charCodeAt(place + step) !== other.charCodeAt(index + step)) return false;
  }
  return true;
}
