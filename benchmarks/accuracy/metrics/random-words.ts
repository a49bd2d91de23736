/** Random 32-bit numbers that are the same for the same seed on every machine. */

/**
 * The generator xoshiro128**: Blackman and Vigna 2021, "Scrambled Linear Pseudorandom Number Generators". Its state comes from the
 * seed by splitmix32, so that near seeds give unrelated numbers.
 */
export function createRandomWords(seed: number): () => number {
  const fill = splitmix32(seed);
  let [a, b, c, d] = [fill(), fill(), fill(), fill()];
  return () => {
    const scrambled = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
    return scrambled;
  };
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return mixed ^ (mixed >>> 16);
  };
}
