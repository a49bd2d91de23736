/** Rows with a probability and a truth, as columns of numbers: small enough for millions, quick to go over a thousand times. */

export interface ScoredRows {
  /** From 0 to 1, the highest first. */
  readonly probabilities: Float64Array;
  /** 1 for a positive row, 0 for a negative one. */
  readonly positives: Uint8Array;
  /** Where each row stood when rows were added, from 0. */
  readonly order: Uint32Array;
  /** Where each run of equal probabilities ends (exclusive): such rows are flagged together or not at all. */
  readonly tieEnds: Uint32Array;
}

/** How often each of the sorted rows counts. Once each in a plain figure; a random number of times in a resampled one. */
export type Weights = Uint8Array;

export function unitWeights({ order }: ScoredRows): Weights {
  return new Uint8Array(order.length).fill(1);
}

export interface ScoreColumn {
  add(probability: number, positive: boolean): void;
  /** Equal probabilities stay in the order of adding. */
  sorted(): ScoredRows;
}

const FIRST_ROOM = 1024;

export function createScoreColumn(): ScoreColumn {
  let probabilities = new Float64Array(FIRST_ROOM);
  let positives = new Uint8Array(FIRST_ROOM);
  let count = 0;
  return {
    add(probability, positive) {
      if (count === probabilities.length) {
        probabilities = enlarged(probabilities, new Float64Array(2 * count));
        positives = enlarged(positives, new Uint8Array(2 * count));
      }
      probabilities[count] = probability;
      positives[count] = positive ? 1 : 0;
      count += 1;
    },
    sorted() {
      const order = new Uint32Array(count).map((_, row) => row);
      order.sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0) || a - b);
      const sorted = Float64Array.from(order, (row) => probabilities[row] ?? 0);
      return {
        probabilities: sorted,
        positives: Uint8Array.from(order, (row) => positives[row] ?? 0),
        order,
        tieEnds: tieEndsOf(sorted),
      };
    },
  };
}

function enlarged<Column extends Float64Array | Uint8Array>(column: Column, larger: Column): Column {
  larger.set(column);
  return larger;
}

function tieEndsOf(sorted: Float64Array): Uint32Array {
  const ends = sorted.length === 0 ? [] : [sorted.length];
  for (let index = sorted.length - 1; index > 0; index -= 1) {
    if (sorted[index] !== sorted[index - 1]) ends.push(index);
  }
  return Uint32Array.from(ends.reverse());
}
