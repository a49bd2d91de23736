/**
 * Texts by number, from a pool. Any stretch of numbers holds short and less short texts in the proportion of the whole pool, so
 * that servers which get through more or fewer of them in the same time are measured on the same mixture.
 */
export interface TextSequence {
  /** Different for every index, however many are asked for: after each turn through the pool the number at the end is another. */
  unique(index: number): string;
  /** Texts to be sent again and again. None of them is a unique one. */
  repeated(index: number): string;
  /** A text of exactly `characters` UTF-16 units, made of unique ones; different for every index. */
  sized(index: number, characters: number): string;
}

/**
 * Turns at which a run and its raw loop begin. Nearly all unique texts of a run end with a number of two digits then, and so do those of the
 * raw loop: a digit is a token or half of one, which a ratio would show.
 */
export const FIRST_TURN = 10;
export const TYPICAL_TURN = 50;

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;
/** How far apart long texts begin in the sequence, so that neighbours have little in common. */
const SIZED_STRIDE = 61;

export function createTextSequence(pool: readonly string[]): TextSequence {
  const byLength = [...pool].sort((one, other) => one.length - other.length);
  const count = byLength.length;
  // Multiples of the golden ratio, taken modulo 1, spread evenly over any stretch (a low-discrepancy sequence).
  const stride = coprimeNear(count * GOLDEN_RATIO, count);
  const pick = (index: number): string => byLength[(index * stride) % count] ?? '';
  const unique = (index: number): string => `${pick(index)} ${1 + Math.floor(index / count)}`;
  return {
    unique,
    repeated: pick,
    sized(index, characters) {
      const first = index * SIZED_STRIDE;
      // In front, where no cut reaches it.
      let text = `${index} ${unique(first)}`;
      for (let next = first + 1; text.length < characters; next += 1) text += `\n${unique(next)}`;
      return text.slice(0, characters).toWellFormed();
    },
  };
}

/** Without a common divisor every item of the pool has its turn. */
function coprimeNear(wanted: number, count: number): number {
  let stride = Math.max(1, Math.round(wanted));
  while (greatestCommonDivisor(stride, count) !== 1) stride += 1;
  return stride;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
