/**
 * Lowers what the strongest window of a text says for the number of its windows: a maximum over many harmless ones is higher by chance
 * alone. Pure functions; the factors come from calibration (decision 42).
 */
import type { Calibration } from '../inference/manifest.js';
import type { Label } from '../labels.js';
import { isJudgedClosely } from './closer-look.js';

/**
 * @param windows the label's probability in each window of the text
 * @param strongest index of the window whose probability, or that of whose pieces, is to be lowered
 * @returns log-odds to take off; 0 for a text of one window
 */
export function lengthCorrection(
  windows: readonly number[],
  strongest: number,
  label: Label,
  { lengthCorrection: shorter, longTextCorrection: long, thresholds }: Calibration,
): number {
  if (long === undefined || !isJudgedClosely(windows.length)) return (shorter[label] ?? 0) * Math.log(windows.length);
  return (long[label] ?? 0) * logChances(windows, strongest, thresholds[label]);
}

/**
 * ln of the chances that a long text had of being taken for harmful by mistake. A window that is plainly harmless or plainly harmful is
 * no such chance: each of the others counts by how much it is in doubt, so that one vile sentence stands out from a calm text, and less
 * from a rough one. The windows are counted as well, since the model is surer of itself than it is right.
 */
function logChances(windows: readonly number[], strongest: number, threshold: number): number {
  const inDoubt = windows.reduce(
    (sum, probability, at) => (at === strongest ? sum : sum + doubt(probability, threshold)),
    0,
  );
  return Math.log(windows.length) + Math.log1p(inDoubt);
}

/** 1 at the threshold, falling to 0 towards both certainties. */
function doubt(probability: number, threshold: number): number {
  if (probability < threshold) return probability / threshold;
  return threshold < 1 ? (1 - probability) / (1 - threshold) : 0;
}
