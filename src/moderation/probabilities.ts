/** Combines what the model said of the windows of a text, and of its copies, into one probability per label. Pure functions. */
import type { WindowProbabilities } from '../inference/classifier.js';
import type { Calibration, Manifest } from '../inference/manifest.js';
import type { Label, Sentiment } from '../labels.js';

export type LabelProbabilities = ReadonlyMap<Label, number>;
export type SentimentProbabilities = ReadonlyMap<Sentiment, number>;

export interface TextProbabilities {
  /** Per label of the model, from 0 to 1. */
  readonly labels: LabelProbabilities;
  /** Per sentiment, summing to 1. */
  readonly sentiments: SentimentProbabilities;
}

/**
 * The probabilities of a whole text. A label takes its strongest window, lowered for the number of windows (a maximum over many
 * harmless windows is higher by chance alone); sentiment is the mean over windows, weighted by their tokens.
 */
export function combineWindows(windows: readonly WindowProbabilities[], manifest: Manifest): TextProbabilities {
  const labels = new Map<Label, number>();
  manifest.labels.forEach((label, index) => {
    const strongest = Math.max(...windows.map((window) => window.labels[index] ?? 0));
    labels.set(label, correctForLength(strongest, windows.length, label, manifest.calibration));
  });
  // An empty window still has an opinion: weight 1 keeps the mean defined.
  const weights = windows.map((window) => Math.max(1, window.tokens));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sentiments = new Map<Sentiment, number>();
  manifest.sentiments.forEach((sentiment, index) => {
    const sum = windows.reduce((so, window, row) => so + (window.sentiments[index] ?? 0) * (weights[row] ?? 0), 0);
    sentiments.set(sentiment, sum / total);
  });
  return { labels, sentiments };
}

/**
 * The same text seen in several ways (as sent, de-obfuscated): every label takes its worst view. The sentiment is that of the
 * view with the higher toxicity, because it is the one that could be read.
 */
export function worstView(views: readonly [TextProbabilities, ...TextProbabilities[]]): TextProbabilities {
  const toxicity = (view: TextProbabilities): number => view.labels.get('toxicity') ?? 0;
  const most = views.reduce((worst, view) => (toxicity(view) > toxicity(worst) ? view : worst));
  const labels = new Map<Label, number>();
  for (const label of most.labels.keys()) {
    labels.set(label, Math.max(...views.map((view) => view.labels.get(label) ?? 0)));
  }
  return { labels, sentiments: most.sentiments };
}

/** logit(p) - c ln(n), back as a probability. One window is left as it is. */
function correctForLength(probability: number, windows: number, label: Label, calibration: Calibration): number {
  const perLogWindow = calibration.lengthCorrection[label] ?? 0;
  if (windows <= 1 || perLogWindow === 0 || probability <= 0 || probability >= 1) return probability;
  const logit = Math.log(probability / (1 - probability)) - perLogWindow * Math.log(windows);
  return 1 / (1 + Math.exp(-logit));
}
