/**
 * One stretch of memory for all compiled lists, which every worker reads. Its places are given and taken back by hand: memory that threads share does not
 * count for the garbage collector, so that lists of their own would stay for minutes after they are dropped.
 */
import type { TermsPlace } from '../../text/terms/compiled-terms.js';

interface Block extends TermsPlace {
  readonly end: number;
}

export class TermMemory {
  #memory: SharedArrayBuffer | undefined;
  /** By their offsets. */
  readonly #blocks: Block[] = [];

  /** @param capacity in bytes. The system gives the memory when it is written to, and the first places are used first */
  constructor(readonly capacity: number) {}

  /** @returns undefined where no gap is large enough @throws RangeError where the system has not so much memory */
  put(bytes: Uint8Array): TermsPlace | undefined {
    const length = 4 * Math.ceil(bytes.length / 4);
    const endBefore = (index: number): number => this.#blocks[index - 1]?.end ?? 0;
    const startOf = (index: number): number => this.#blocks[index]?.offset ?? this.capacity;
    let index = 0;
    while (index <= this.#blocks.length && startOf(index) - endBefore(index) < length) index += 1;
    if (index > this.#blocks.length) return undefined;
    const offset = endBefore(index);
    this.#memory ??= new SharedArrayBuffer(this.capacity);
    new Uint8Array(this.#memory).set(bytes, offset);
    const block = { memory: this.#memory, offset, end: offset + length };
    this.#blocks.splice(index, 0, block);
    return block;
  }

  /** Of a place that nobody reads any more. */
  free(place: TermsPlace): void {
    const index = this.#blocks.findIndex(({ offset }) => offset === place.offset);
    if (index !== -1) this.#blocks.splice(index, 1);
  }
}
