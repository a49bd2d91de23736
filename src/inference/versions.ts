/**
 * Cuts versions of one text, such as its de-obfuscated copy, at the same places: where they say the same, their windows are the same, and
 * need to be judged only once. Knows tokens, not labels.
 */
import type { TokenizedPiece } from './tokenizer.js';
import { planStretches, planWindows, roomOf, windowOf, type Stretch, type Window, type WindowSize } from './windows.js';

/** Other cuts make other probabilities: shorter texts keep those that they were measured with (docs/decisions/0041-versions-share-windows.md). */
const LEAST_WINDOWS = 6;
/** How far apart two versions may say the same again. What differs for longer is cut as a text of its own. */
const LONGEST_DIFFERENCE = 16;
/** So many pieces in a row must be the same until a difference counts as ended: single ones ("the", a comma) come by chance. */
const SAME_IN_A_ROW = 3;

/**
 * @param versions the pieces of each; the first is cut as planWindows cuts it
 * @returns per version its windows, which have the promises of planWindows
 */
export function planVersions(
  [original = [], ...others]: readonly (readonly TokenizedPiece[])[],
  size: WindowSize,
): Window[][] {
  const stretches = planStretches(original, size);
  return [
    stretches.map((stretch) => windowOf(original, stretch)),
    ...others.map((version) => planVersion(version, stretches, placesIn(version, original), size)),
  ];
}

/** @param places for each index of the original's pieces, where the version goes on */
function planVersion(
  version: readonly TokenizedPiece[],
  stretches: readonly Stretch[],
  places: readonly number[] | undefined,
  size: WindowSize,
): Window[] {
  if (places === undefined || stretches.length < LEAST_WINDOWS) return planWindows(version, size);
  const windows: Window[] = [];
  let covered = 0;
  for (const stretch of stretches) {
    const first = places[stretch.first] ?? version.length;
    const next = places[stretch.next] ?? version.length;
    if (next <= covered) continue;
    const window = windowOf(version, { first, next });
    const reached = windows.at(-1)?.end ?? -1;
    if (window.ids.length <= roomOf(size)) windows.push(window);
    else windows.push(...planWindows(version.slice(first, next), size).filter(({ end }) => end > reached));
    covered = next;
  }
  return windows.length > 0 ? windows : planWindows(version, size);
}

/**
 * Takes time linear in the number of pieces.
 *
 * @returns undefined where the versions differ for too long
 */
function placesIn(version: readonly TokenizedPiece[], original: readonly TokenizedPiece[]): number[] | undefined {
  const places: number[] = [];
  let place = 0;
  while (places.length < original.length) {
    const difference = differenceAt(original, places.length, version, place);
    if (difference === undefined) return undefined;
    const { here, there } = difference;
    for (let step = 0; step < here; step += 1) places.push(place + Math.min(step, there));
    // What the version has more belongs to the piece that follows.
    if (here === 0) places.push(place);
    place += here === 0 ? there + 1 : there;
  }
  places.push(version.length);
  return places;
}

/** How many pieces of each must be passed over until both say the same: none where they do so already. The fewest in all. */
function differenceAt(
  original: readonly TokenizedPiece[],
  index: number,
  version: readonly TokenizedPiece[],
  place: number,
): { readonly here: number; readonly there: number } | undefined {
  if (isSamePiece(original[index], version[place])) return { here: 0, there: 0 };
  for (let total = 1; total <= 2 * LONGEST_DIFFERENCE; total += 1) {
    for (let here = Math.max(0, total - LONGEST_DIFFERENCE); here <= Math.min(total, LONGEST_DIFFERENCE); here += 1) {
      if (goOnAlike(original, index + here, version, place + total - here)) return { here, there: total - here };
    }
  }
  return undefined;
}

function goOnAlike(
  original: readonly TokenizedPiece[],
  index: number,
  version: readonly TokenizedPiece[],
  place: number,
): boolean {
  for (let step = 0; step < SAME_IN_A_ROW; step += 1) {
    if (!isSamePiece(original[index + step], version[place + step])) return false;
  }
  return true;
}

/** Two ends are the same as well. */
function isSamePiece(one: TokenizedPiece | undefined, other: TokenizedPiece | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.ids.length === other.ids.length && one.ids.every((id, index) => id === other.ids[index]);
}
