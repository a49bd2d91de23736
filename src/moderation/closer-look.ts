/**
 * In a window of a long text, a short insult is diluted by what stands around it. So the window that decides the verdict is judged a
 * second time, in short overlapping pieces. Plans that, and keeps what was said; judges nothing itself.
 */
import type { WindowProbabilities } from '../inference/classifier.js';
import type { Manifest } from '../inference/manifest.js';
import { riskOf } from './verdict.js';

/** A window of a text, and what the model said of its pieces, if they were judged. */
export interface JudgedWindow extends WindowProbabilities {
  /** Per piece, one probability per label. */
  readonly pieces?: readonly (readonly number[])[];
}

export interface CloserLook {
  /** To be judged, each as a text of its own. */
  readonly pieces: readonly string[];
  /** @param judged the windows of each of the pieces */
  seen(judged: readonly (readonly WindowProbabilities[])[]): JudgedWindow[];
}

/**
 * A text of fewer is judged by its windows alone: an insult is diluted less in it, and pieces, read out of context, rank real comments of
 * two to five windows worse (decision 33). Six windows are about 2,300 characters.
 */
const LEAST_WINDOWS = 6;
/** Characters of a piece: one or two sentences. Two neighbours share half of it, so that most insults are whole in one of them. */
const PIECE_LENGTH = 120;
/** Each piece costs a run of the model: in a window of very long words they are longer. */
const MAX_PIECES = 32;
/** The least share of what scores 4 that makes a window worth it. */
const LEAST_RISK = 0.5;
/** The score from which on a text is not safe. */
const MODERATE = 4;

/** @returns undefined for a text of few windows and for one without much risk */
export function planCloserLook(
  text: string,
  windows: readonly WindowProbabilities[],
  manifest: Manifest,
): CloserLook | undefined {
  if (windows.length < LEAST_WINDOWS) return undefined;
  const risks = windows.map((window) => riskOfWindow(window, manifest));
  const highest = Math.max(...risks);
  if (highest < LEAST_RISK * (manifest.calibration.scoreKnots[MODERATE - 1] ?? 1)) return undefined;
  const decisive = risks.indexOf(highest);
  const pieces = piecesOf(text.slice(windows[decisive]?.start, windows[decisive]?.end));
  if (pieces.length === 0) return undefined;
  return {
    pieces,
    seen: (judged) =>
      windows.map((window, index) => (index === decisive ? { ...window, pieces: judged.map(strongest) } : window)),
  };
}

function riskOfWindow(window: WindowProbabilities, { labels, calibration }: Manifest): number {
  return riskOf(new Map(labels.map((label, index) => [label, window.labels[index] ?? 0])), calibration);
}

/** Pieces of whole words that together cover the text, each beginning with the second half of the one before. */
function piecesOf(text: string): string[] {
  const most = Math.max(PIECE_LENGTH, (2 * text.length) / MAX_PIECES);
  const lengthOf = (words: readonly string[]): number => words.join(' ').length;
  const pieces: string[] = [];
  let piece: string[] = [];
  for (const word of text.split(/\s+/u).filter((part) => part !== '')) {
    if (piece.length > 0 && lengthOf([...piece, word]) > most) {
      pieces.push(piece.join(' '));
      while (piece.length > 0 && (lengthOf(piece) > most / 2 || lengthOf([...piece, word]) > most))
        piece = piece.slice(1);
    }
    piece.push(word);
  }
  return piece.length === 0 ? pieces : [...pieces, piece.join(' ')];
}

/** Per label the highest probability of any of the windows. */
function strongest(windows: readonly WindowProbabilities[]): number[] {
  const [first] = windows;
  return (first?.labels ?? []).map((_, label) => Math.max(...windows.map((window) => window.labels[label] ?? 0)));
}
