/**
 * In a window of a long text, a short insult is diluted by what stands around it. So the windows that may decide the verdict are judged a
 * second time, each of their sentences alone. Plans that, and keeps what was said; judges nothing itself.
 */
import type { WindowProbabilities } from '../inference/classifier.js';
import type { Manifest } from '../inference/manifest.js';
import { boundPassages, passagesOf } from './sentences.js';

/** A window of a text, and what the model said of its sentences, if they were judged. */
export interface JudgedWindow extends WindowProbabilities {
  /** Per sentence, one probability per label. */
  readonly sentences?: readonly (readonly number[])[];
}

export interface CloserLook {
  /** To be judged, each as a text of its own. */
  readonly sentences: readonly string[];
  /** @param judged the windows of each of the sentences */
  seen(judged: readonly (readonly WindowProbabilities[])[]): JudgedWindow[];
}

/** Two windows cost a text of 10,000 characters, which has about 25, a seventh more time. */
const MAX_WINDOWS = 2;
/** The least share of any label's threshold that makes a window worth it. */
const LEAST_SUSPICION = 0.3;
/** Each sentence costs a run of the model, however short it is. */
const MAX_SENTENCES_PER_WINDOW = 16;

/** @returns undefined for a text of one window, which the model was trained to read as a whole, and for one without any suspicion */
export function planCloserLook(
  text: string,
  windows: readonly WindowProbabilities[],
  manifest: Manifest,
): CloserLook | undefined {
  if (windows.length < 2) return undefined;
  const suspected = windows
    .map((window, index) => ({ index, suspicion: suspicionOf(window, manifest) }))
    .filter(({ suspicion }) => suspicion >= LEAST_SUSPICION)
    .sort((a, b) => b.suspicion - a.suspicion)
    .slice(0, MAX_WINDOWS);
  const parts = new Map(suspected.map(({ index }) => [index, sentencesOf(text, windows[index])]));
  const sentences = [...parts.values()].flat();
  if (sentences.length === 0) return undefined;
  return {
    sentences,
    seen(judged) {
      let next = 0;
      const labelsOf = new Map<number, number[][]>();
      for (const [index, { length }] of parts) {
        labelsOf.set(index, judged.slice(next, next + length).map(strongest));
        next += length;
      }
      return windows.map((window, index) => {
        const ofSentences = labelsOf.get(index);
        return ofSentences === undefined || ofSentences.length === 0 ? window : { ...window, sentences: ofSentences };
      });
    },
  };
}

/** The highest share that a label reaches of its threshold. */
function suspicionOf(window: WindowProbabilities, { labels, calibration }: Manifest): number {
  return Math.max(...labels.map((label, index) => (window.labels[index] ?? 0) / calibration.thresholds[label]));
}

function sentencesOf(text: string, window: WindowProbabilities | undefined): string[] {
  const part = text.slice(window?.start, window?.end);
  return boundPassages(passagesOf(part), part, MAX_SENTENCES_PER_WINDOW).map((passage) => passage.text);
}

/** Per label the highest probability of any of the windows. */
function strongest(windows: readonly WindowProbabilities[]): number[] {
  const [first] = windows;
  return (first?.labels ?? []).map((_, label) => Math.max(...windows.map((window) => window.labels[label] ?? 0)));
}
