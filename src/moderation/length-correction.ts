/**
 * Lowers what the strongest window of a text says, since a maximum over many harmless ones is higher by chance alone. Pure functions; the
 * numbers come from calibration (decision 44).
 */
import type { Calibration } from '../inference/manifest.js';
import type { Label } from '../labels.js';

/** In a text of fewer, the windows apart from the strongest and its neighbours are too few to tell how rough it is. Twelve are about 4,500 characters. */
const LEAST_WINDOWS = 12;
/** Log-odds for a unit of ln(roughness). With 1 a rough text would need a strongest window that nearly none has. */
const ROUGHNESS_WEIGHT = 0.75;

/**
 * @param windows the label's probability in each window of the text
 * @param strongest index of the window whose probability, or that of whose pieces, is to be lowered
 * @returns log-odds to take off; 0 for a text of one window
 */
export function lengthCorrection(
  windows: readonly number[],
  strongest: number,
  label: Label,
  { lengthCorrection: factors, standOut, thresholds }: Calibration,
): number {
  if (standOut === undefined || windows.length < LEAST_WINDOWS) {
    return (factors[label] ?? 0) * Math.log(windows.length);
  }
  // Neighbours share a part of their text with the strongest: what is in it may be in them as well.
  const others = windows.filter((_, at) => Math.abs(at - strongest) > 1);
  return Math.max(0, (standOut[label] ?? 0) + ROUGHNESS_WEIGHT * Math.log(roughness(others, thresholds[label])));
}

/**
 * How much in these windows could be taken for harm by mistake: 0 in a text that is calm but for its strongest window, so that one
 * vile sentence stands out there, and 1 where one other window is at the threshold. Squares, since the most doubtful windows tell
 * best how high such a text reaches by chance.
 */
function roughness(windows: readonly number[], threshold: number): number {
  return Math.hypot(...windows.map((probability) => doubt(probability, threshold)));
}

/** 1 at the threshold, falling to 0 towards both certainties. */
function doubt(probability: number, threshold: number): number {
  if (probability < threshold) return probability / threshold;
  return threshold < 1 ? (1 - probability) / (1 - threshold) : 0;
}
