/** Promises of the memory of compiled lists: what is put there stays as it is until it is given back, and no byte more than its capacity is used. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TermMemory } from '../../../src/inference/workers/term-memory.js';
import type { TermsPlace } from '../../../src/text/terms/compiled-terms.js';

const CAPACITY = 64;

it('keeps what is put there whole, whatever comes and goes beside it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3, max: 30 }), { maxLength: 40 }), (steps) => {
      const memory = new TermMemory(CAPACITY);
      const kept: { place: TermsPlace; bytes: Uint8Array }[] = [];
      for (const [step, length] of steps.entries()) {
        if (length < 0) {
          const [gone] = kept.splice(step % Math.max(1, kept.length), 1);
          if (gone !== undefined) memory.free(gone.place);
          continue;
        }
        const bytes = new Uint8Array(4 * Math.ceil(length / 4)).fill(step + 1);
        const place = memory.put(bytes);
        if (place !== undefined) kept.push({ place, bytes });
      }
      for (const { place, bytes } of kept) {
        expect(place.offset % 4).toBe(0);
        expect(new Uint8Array(place.memory, place.offset, bytes.length)).toEqual(bytes);
      }
    }),
  );
});

it('has no place for more than its capacity, and uses again what was given back', () => {
  const memory = new TermMemory(CAPACITY);
  expect(memory.put(new Uint8Array(CAPACITY + 1))).toBeUndefined();
  const [first, middle, last] = [16, 16, 32].map((length) => memory.put(new Uint8Array(length)));
  expect([first?.offset, middle?.offset, last?.offset]).toEqual([0, 16, 32]);
  expect(memory.put(new Uint8Array(1))).toBeUndefined();
  if (middle !== undefined) memory.free(middle);
  expect(memory.put(new Uint8Array(17))).toBeUndefined();
  expect(memory.put(new Uint8Array(13))?.offset).toBe(16);
});
