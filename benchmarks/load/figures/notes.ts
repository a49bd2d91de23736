/** What a reader must know to believe the figures of a run, or not to. */
import type { LoadFigures } from './load-figures.js';

/** A generator that uses more of a core than this may have been what set the rate. */
const BUSY_GENERATOR_CORES = 0.95;
/** Runnable processes before the run, on average over a minute. */
const BUSY_MACHINE = 0.5;
const FEWEST_ROUNDS = 5;

export interface Circumstances {
  readonly loads: readonly LoadFigures[];
  readonly rounds: number;
  readonly loadAverageBefore: number;
}

export function notesOf({ loads, rounds, loadAverageBefore }: Circumstances): string[] {
  const notes: string[] = [];
  if (rounds < FEWEST_ROUNDS) notes.push(`Fewer than ${FEWEST_ROUNDS} rounds: no goal counts as reached or missed.`);
  if (loadAverageBefore > BUSY_MACHINE) {
    notes.push(`Other programs were running: the load average was ${loadAverageBefore.toFixed(2)} before the run.`);
  }
  const limited = loads.filter(({ median }) => (median.generatorCores ?? 0) > BUSY_GENERATOR_CORES);
  if (limited.length > 0) {
    const names = limited.map(({ subject, load }) => `${subject}: ${load}`).join('; ');
    notes.push(`The generator was busy all the time, so that the server may be able to do more: ${names}.`);
  }
  return notes;
}
