/**
 * Lowers what the strongest window of a text says, since a maximum over many harmless ones is higher by chance alone. Pure functions; the
 * numbers come from calibration (decision 44).
 */
import type { Calibration } from '../inference/manifest.js';
import type { Label } from '../labels.js';

/** In a text of fewer, the windows apart from the strongest and its neighbours are too few to tell how rough it is. Twelve are about 4,500 characters. */
const LEAST_WINDOWS = 12;

/** What tells how far a label has to stand out of a long text. */
interface Standard {
  /** The label whose doubtful windows make the text rough. */
  readonly doubtsOf: Label;
  /** Log-odds for a unit of ln(roughness). */
  readonly weight: number;
  /** The least to take off, in log-odds. Below 0, what stands out of a calm text counts for more than it does alone. */
  readonly least: number;
}

/**
 * Where a harmless sentence is taken for a vile one, its text is a rude one: how toxic that is tells better than how vile (decisions 51 and 53).
 * In a calm text a sentence counts a little more than alone: more than that would flag many calm ones, and cost the rude ones for it (decision 69).
 */
const OF_SEVERE_TOXICITY: Standard = { doubtsOf: 'toxicity', weight: 1.25, least: -0.5 };

/** With a weight of 1 a rough text would need a strongest window that nearly none has. A vile sentence that is read alone stands out further. */
function standardOf(label: Label): Standard {
  return label === 'severe_toxicity' ? OF_SEVERE_TOXICITY : { doubtsOf: label, weight: 0.75, least: 0 };
}

/** How far each label has to stand out of a text of so many windows; undefined where that is not asked of it. */
export function standOutOf(windows: number, { standOut }: Calibration): Calibration['standOut'] {
  return windows < LEAST_WINDOWS ? undefined : standOut;
}

/**
 * @param windows per label, its probability in each window of the text
 * @param strongest index of the window whose probability, or that of whose pieces, is to be lowered
 * @returns log-odds to take off; 0 for a text of one window
 */
export function lengthCorrection(
  windows: ReadonlyMap<Label, readonly number[]>,
  strongest: number,
  label: Label,
  calibration: Calibration,
): number {
  const { doubtsOf, weight, least } = standardOf(label);
  const doubtful = windows.get(doubtsOf) ?? [];
  const standOut = standOutOf(doubtful.length, calibration);
  if (standOut === undefined) {
    return (calibration.lengthCorrection[label] ?? 0) * Math.log(Math.max(1, doubtful.length));
  }
  // Neighbours share a part of their text with the strongest: what is in it may be in them as well.
  const others = doubtful.filter((_, at) => Math.abs(at - strongest) > 1);
  return Math.max(
    least,
    (standOut[label] ?? 0) + weight * Math.log(roughness(others, calibration.thresholds[doubtsOf])),
  );
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
