/** The few figures that are read first, large. */
import type { Estimate } from '../metrics/resampling.js';
import type { BinaryFigures, SentimentFigures } from '../results.js';
import { escape } from './html.js';
import { decimal } from './wording.js';

export function tilesOf(figures: BinaryFigures | SentimentFigures): string {
  if (figures.kind === 'sentiment') {
    return tiles([tile('Macro-recall', figures.macroRecall), tile('Accuracy', figures.accuracy)]);
  }
  const main = figures.decisions.find(({ name }) => name === figures.mainDecision);
  return tiles([
    tile('ROC-AUC', figures.rocAuc),
    tile('Average precision', figures.averagePrecision),
    tile(`F1 of “${figures.mainDecision}”`, main?.f1 ?? null),
    tile('Calibration error', figures.expectedCalibrationError),
  ]);
}

function tiles(parts: readonly string[]): string {
  return `<div class="tiles">${parts.join('\n')}</div>`;
}

function tile(name: string, estimate: Estimate | null): string {
  const interval = estimate?.interval ?? null;
  const below = interval === null ? 'no interval' : `95%: ${interval.map(decimal).join(' to ')}`;
  return `<div class="tile"><h3>${escape(name)}</h3><strong>${decimal(estimate?.value ?? null)}</strong><p>${below}</p></div>`;
}
