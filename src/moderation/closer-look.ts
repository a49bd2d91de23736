/**
 * In a window of a long text, a short insult is diluted by what stands around it. So the window that decides the score, and the one that
 * comes nearest to harm apart from toxicity, are judged a second time, in overlapping pieces; the first, for toxicity and where that is
 * still open, a third time sentence by sentence and in short fragments. Plans that, and keeps what was said; judges nothing itself.
 */
import type { WindowProbabilities } from '../inference/classifier.js';
import type { Manifest } from '../inference/manifest.js';
import type { Label } from '../labels.js';
import { combineWindows, type LabelProbabilities } from './probabilities.js';
import { boundPassages, passagesOf } from './sentences.js';
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
const FRAGMENT_LENGTH = 40;
/** Each piece costs a run of the model: of a window of very long words or tiny sentences there are about so many of each kind, longer ones. */
const MAX_PIECES = 32;
/** The least share of what scores 4, or of a label's threshold, that makes a window worth it. */
const LEAST_SHARE = 0.5;
/** The least share of what scores 4, of the whole text after the closer look, that makes a finer one worth it: below, fragments hardly ever reach it. */
const LEAST_SHARE_FOR_FINER = 0.25;
/** The score from which on a text is not safe. */
const MODERATE = 4;
/** Harm that a text can do without being toxic: another window than the riskiest may be full of it. */
const APART_FROM_TOXICITY: readonly Label[] = ['sexual_explicit', 'self_harm', 'spam'];

/** @returns undefined for a text of few windows and for one without much risk */
export function planCloserLook(
  text: string,
  windows: readonly WindowProbabilities[],
  manifest: Manifest,
): CloserLook | undefined {
  if (windows.length < LEAST_WINDOWS) return undefined;
  const harms = windows.map((window) => otherHarmShare(window, manifest));
  const looks = [...new Set([...riskiest(windows, manifest), ...decisive(harms)])].map((index) => ({
    index,
    pieces: piecesOf(partOf(text, windows[index])),
  }));
  const pieces = looks.flatMap((look) => look.pieces);
  if (pieces.length === 0) return undefined;
  return {
    pieces,
    seen: (judged) => {
      const result: JudgedWindow[] = [...windows];
      let next = 0;
      for (const { index, pieces: own } of looks) {
        const window = windows[index];
        const ours = judged.slice(next, next + own.length);
        next += own.length;
        if (window !== undefined && ours.length > 0) result[index] = { ...window, pieces: ours.map(strongest) };
      }
      return result;
    },
  };
}

/**
 * A still closer look at the riskiest window, for toxicity alone, where the first one came near what fails a text and did not reach it.
 *
 * @param windows as the closer look saw them
 */
export function planFinerLook(
  text: string,
  windows: readonly JudgedWindow[],
  manifest: Manifest,
): CloserLook | undefined {
  const [index = -1] = windows.length < LEAST_WINDOWS ? [] : riskiest(windows, manifest);
  const window = windows[index];
  if (window?.pieces === undefined) return undefined;
  const share = shareOfModerate(combineWindows(windows, manifest).labels, manifest);
  if (share < LEAST_SHARE_FOR_FINER || share >= 1) return undefined;
  const known = piecesOf(partOf(text, window));
  const pieces = finerPiecesOf(partOf(text, window)).filter((piece) => !known.includes(piece));
  if (pieces.length === 0) return undefined;
  return {
    pieces,
    seen: (judged) => {
      const finer = judged.map((piece) => toxicityAlone(strongest(piece), manifest));
      return windows.with(index, { ...window, pieces: [...(window.pieces ?? []), ...finer] });
    },
  };
}

function partOf(text: string, window: WindowProbabilities | undefined): string {
  return text.slice(window?.start, window?.end);
}

/** The index of the window of the highest risk, or none if even that is too low. */
function riskiest(windows: readonly WindowProbabilities[], manifest: Manifest): number[] {
  const { labels } = manifest;
  return decisive(
    windows.map((window) =>
      shareOfModerate(new Map(labels.map((label, index) => [label, window.labels[index] ?? 0])), manifest),
    ),
  );
}

/** The index of the highest of the shares, or none if even that is too low. */
function decisive(shares: readonly number[]): number[] {
  const highest = Math.max(...shares);
  return highest < LEAST_SHARE ? [] : [shares.indexOf(highest)];
}

/** The risk as a share of what scores 4. */
function shareOfModerate(probabilities: LabelProbabilities, { calibration }: Manifest): number {
  return riskOf(probabilities, calibration) / (calibration.scoreKnots[MODERATE - 1] ?? 1);
}

/** The highest probability of harm apart from toxicity, as a share of its threshold. */
function otherHarmShare({ labels: probabilities }: WindowProbabilities, { labels, calibration }: Manifest): number {
  return Math.max(
    ...APART_FROM_TOXICITY.map((label) => (probabilities[labels.indexOf(label)] ?? 0) / calibration.thresholds[label]),
  );
}

/** What other labels than toxicity are looked for in: in less, they take things out of context for what they are not. */
function piecesOf(text: string): string[] {
  return overlapping(text, boundedLength(PIECE_LENGTH, text));
}

/** Sentences, as an insult may be one, and fragments, as it may stand in the middle of somebody else's. */
function finerPiecesOf(text: string): string[] {
  const sentences = boundPassages(passagesOf(text), text, MAX_PIECES).flatMap((sentence) =>
    overlapping(sentence.text, boundedLength(PIECE_LENGTH, text)),
  );
  return [...new Set([...sentences, ...overlapping(text, boundedLength(FRAGMENT_LENGTH, text))])];
}

function boundedLength(length: number, text: string): number {
  return Math.max(length, (2 * text.length) / MAX_PIECES);
}

function toxicityAlone(probabilities: readonly number[], { labels }: Manifest): number[] {
  return probabilities.map((probability, index) => (labels[index] === 'toxicity' ? probability : 0));
}

/** Parts of whole words that together cover the text, each beginning with the second half of the one before. */
function overlapping(text: string, most: number): string[] {
  const lengthOf = (words: readonly string[]): number => words.join(' ').length;
  const parts: string[] = [];
  let part: string[] = [];
  for (const word of text.split(/\s+/u).filter((found) => found !== '')) {
    if (part.length > 0 && lengthOf([...part, word]) > most) {
      parts.push(part.join(' '));
      while (part.length > 0 && (lengthOf(part) > most / 2 || lengthOf([...part, word]) > most)) part = part.slice(1);
    }
    part.push(word);
  }
  return part.length === 0 ? parts : [...parts, part.join(' ')];
}

/** Per label the highest probability of any of the windows. */
function strongest(windows: readonly WindowProbabilities[]): number[] {
  const [first] = windows;
  return (first?.labels ?? []).map((_, label) => Math.max(...windows.map((window) => window.labels[label] ?? 0)));
}
