/** What the segments of a text say of a label, and which of them carry what was detected in it. */
import type { Prediction, TextRange } from '../inference/classifier.js';
import type { Manifest } from '../inference/manifest.js';
import type { Label } from '../labels.js';
import { BLOCKED_TERM } from './categories.js';

/** What is kept of a segment. */
export type LabelledSegment = Pick<Prediction, 'start' | 'end' | 'labels'>;

export interface SegmentProbability extends TextRange {
  /** Of the segment. */
  readonly probability: number;
}

export interface Span extends SegmentProbability {
  readonly label: Label | typeof BLOCKED_TERM;
}

export function inSegments(
  segments: readonly LabelledSegment[],
  label: Label,
  { labels }: Manifest,
): SegmentProbability[] {
  const index = labels.indexOf(label);
  return segments.map(({ start, end, labels: probabilities }) => ({
    start,
    end,
    probability: probabilities[index] ?? 0,
  }));
}

export interface Detected {
  readonly labels: readonly Label[];
  /** Least probability of a label that counts as detected. */
  readonly thresholdOf: (label: Label) => number;
  readonly blockedTerms?: readonly TextRange[] | undefined;
}

/**
 * One span per detected label and segment that reaches the label's threshold, and one per blocked term, in text order. A label that no
 * segment reaches alone (it takes several) is shown at its strongest segment, so that every detection points somewhere.
 */
export function locate(
  { labels, thresholdOf, blockedTerms = [] }: Detected,
  segments: readonly LabelledSegment[],
  manifest: Manifest,
): Span[] {
  const ofLabels = labels.flatMap((label): Span[] => {
    const candidates = inSegments(segments, label, manifest).map((segment) => ({ ...segment, label }));
    const reaching = candidates.filter(({ probability }) => probability >= thresholdOf(label));
    if (reaching.length > 0) return reaching;
    const strongest = Math.max(...candidates.map(({ probability }) => probability));
    return candidates.filter(({ probability }) => probability === strongest).slice(0, 1);
  });
  // It stands there or it does not: nothing is left to probability.
  const ofTerms = blockedTerms.map(({ start, end }): Span => ({ start, end, label: BLOCKED_TERM, probability: 1 }));
  return [...ofTerms, ...ofLabels].sort((a, b) => a.start - b.start || b.probability - a.probability);
}
