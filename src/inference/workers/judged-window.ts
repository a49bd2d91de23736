/** What is known of a window once it is judged, and what is still to be read of it. Judges nothing itself. */
import type { Classification, Reading } from '../classifier.js';
import { joinParts } from '../runs.js';

export interface JudgedWindow {
  readonly reading: Reading;
  /** Whether it counts as one segment: it holds no more, or they are certainly harmless. */
  readonly isSegment: boolean;
  /** What each of its runs says alone, where they were read. */
  readonly alone?: readonly Reading[];
}

/** Whether the runs of a window are still to be read alone: for spans, or since the network cannot say what the worst of them is. */
export function wantsRuns({ reading, isSegment, alone }: JudgedWindow, spans: boolean): boolean {
  return !isSegment && alone === undefined && (spans || reading.highest === undefined);
}

/** @param windows all of a text, in order */
export function readingsOf(windows: readonly JudgedWindow[]): Pick<Classification, 'readings' | 'whole' | 'segments'> {
  const readings = joinParts(windows.map(({ reading }) => reading));
  const segments = segmentsOf(windows);
  const areTold = windows.every(({ isSegment, reading }) => isSegment || reading.highest !== undefined);
  // A window of which the network cannot say what the worst segment is holds the whole text.
  return segments !== undefined && !areTold
    ? { readings: segments, whole: readings[0], segments }
    : { readings, segments };
}

/** Undefined where those of a window are not known. */
function segmentsOf(windows: readonly JudgedWindow[]): readonly Reading[] | undefined {
  const segments: Reading[] = [];
  for (const { reading, isSegment, alone } of windows) {
    if (!isSegment && alone === undefined) return undefined;
    segments.push(...(isSegment ? [reading] : (alone ?? [])));
  }
  return joinParts(segments);
}
