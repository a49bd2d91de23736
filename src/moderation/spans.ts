/** Finds the passages of a text that carry what was detected in it, by judging each passage alone. */
import type { WindowProbabilities } from '../inference/classifier.js';
import type { Manifest } from '../inference/manifest.js';
import type { Label } from '../labels.js';
import { combineViews, combineWindows, type TextProbabilities } from './probabilities.js';
import type { Passage } from './sentences.js';

export interface Span {
  /** UTF-16 offsets into the text as it was sent. */
  readonly start: number;
  readonly end: number;
  readonly label: Label;
  /** Of the passage judged alone. */
  readonly probability: number;
}

/**
 * One span per detected label and passage that reaches the label's threshold alone, in text order. A label that no passage
 * reaches alone (it takes the context) is shown at its strongest passage, so that every detection points somewhere.
 */
export function locate(
  detected: readonly Label[],
  passages: readonly Passage[],
  judged: readonly TextProbabilities[],
  manifest: Manifest,
): Span[] {
  const spans = detected.flatMap((label) => {
    const candidates = passages.map((passage, index) => ({
      start: passage.start,
      end: passage.end,
      label,
      probability: judged[index]?.labels.get(label) ?? 0,
    }));
    const threshold = manifest.calibration.thresholds[label];
    const reaching = candidates.filter((span) => span.probability >= threshold);
    if (reaching.length > 0) return reaching;
    const strongest = Math.max(...candidates.map((span) => span.probability));
    return candidates.filter((span) => span.probability === strongest).slice(0, 1);
  });
  return spans.sort((a, b) => a.start - b.start || b.probability - a.probability);
}

/** The judgements of passages from the windows of their views, in passage order: `viewCounts[i]` texts belong to passage i. */
export function judgePassages(
  windowsPerText: readonly (readonly WindowProbabilities[])[],
  viewCounts: readonly number[],
  manifest: Manifest,
): TextProbabilities[] {
  let next = 0;
  return viewCounts.map((count) => {
    const [asSent, copy] = windowsPerText.slice(next, next + count).map((windows) => combineWindows(windows, manifest));
    next += count;
    if (asSent === undefined) throw new Error('a passage without a view');
    return combineViews(asSent, copy);
  });
}
