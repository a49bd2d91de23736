/**
 * In a window of a long text, a short insult is diluted by what stands around it. So the window that decides the score, the two severest
 * ones, and the one that comes nearest to harm apart from toxicity, are judged a second time, in short overlapping pieces, and all but the
 * last in what may be their sentences. Plans that, and keeps what was said; judges nothing itself.
 */
import type { WindowProbabilities } from '../inference/classifier.js';
import type { Manifest } from '../inference/manifest.js';
import type { Label } from '../labels.js';
import { between } from './log-odds.js';
import { inWholeSentences, possibleSentences, type PossibleSentence } from './sentences.js';
import { FIRST_MODERATE_SCORE, riskOf } from './verdict.js';

/** A window of a text, and what the model said of its pieces, if they were judged. */
export interface JudgedWindow extends WindowProbabilities {
  /** Per piece, one probability per label. */
  readonly pieces?: readonly (readonly number[])[];
  /** The same of what may be its sentences, of the riskiest window and the severest; a part of a sentence with what the whole of it says. */
  readonly sentences?: readonly (readonly number[])[];
}

export interface CloserLook {
  /** To be judged, each as a text of its own; none twice. */
  readonly pieces: readonly string[];
  /** @param judgedOf the windows of a piece */
  seen(judgedOf: (piece: string) => readonly WindowProbabilities[]): JudgedWindow[];
}

/**
 * A text of fewer is judged by its windows alone: an insult is diluted less in it, and pieces, read out of context, rank real comments of
 * two to five windows worse (decision 33). Six windows are about 2,300 characters.
 */
const LEAST_WINDOWS = 6;
/** Characters of a piece: one or two sentences. Two neighbours share half of it, so that most insults are whole in one of them. */
const PIECE_LENGTH = 120;
/** Each costs a run of the model: in a window of very long words they are longer. */
const MAX_PIECES = 32;
/** A window with more of them is a list or a code; the median has eleven. */
const MAX_SENTENCES = 32;
/** The least share of what scores 4, or of a label's threshold, that makes a window worth it. */
const LEAST_SHARE = 0.5;
/**
 * Another window than the severest is often the riskiest. More than two of them find nothing more: where a third is severe, it mostly
 * overlaps one of these or is one more chance for a mistake (decision 67).
 */
const SEVEREST_WINDOWS = 2;
/** The least share of its threshold: a vile sentence that a window dilutes to less is hardly ever found by its pieces. */
const LEAST_SHARE_OF_SEVERE = 0.025;
/**
 * What begins at a capital within a sentence is seldom one of its own: "they say that being a Muslim is a crime" is, but not from
 * its capital on. So a part of what counts is what its whole sentence says (decision 63).
 */
const WEIGHT_OF_WHOLE_SENTENCE = 0.3;
/** Harm that a text can do without being toxic: another window than the riskiest may be full of it. */
const APART_FROM_TOXICITY: readonly Label[] = ['sexual_explicit', 'self_harm', 'spam'];

/** @returns undefined for a text of few windows and for one without much risk */
export function planCloserLook(
  text: string,
  windows: readonly WindowProbabilities[],
  manifest: Manifest,
): CloserLook | undefined {
  if (windows.length < LEAST_WINDOWS) return undefined;
  const riskiest = decisive(windows.map((window) => riskShare(window, manifest)));
  const forSentences = new Set([...riskiest, ...severest(windows, manifest)]);
  const mostHarmful = decisive(windows.map((window) => otherHarmShare(window, manifest)));
  const looks = [...new Set([...forSentences, ...mostHarmful])].map((index) => {
    const { start = 0, end = 0 } = windows[index] ?? {};
    return {
      index,
      pieces: piecesOf(text.slice(start, end)),
      // A vile sentence is vile alone. Other kinds of harm are told by their context (decision 42).
      sentences: forSentences.has(index) ? possibleSentences(inWholeSentences(text, start, end), MAX_SENTENCES) : [],
    };
  });
  const pieces = [
    ...new Set(looks.flatMap((look) => [...look.pieces, ...look.sentences.map((sentence) => sentence.text)])),
  ];
  if (pieces.length === 0) return undefined;
  return {
    pieces,
    seen: (judgedOf) => {
      const result: JudgedWindow[] = [...windows];
      const seenAs = (piece: string): number[] => strongest(judgedOf(piece));
      const seenWithin = ({ text: sentence, whole }: PossibleSentence): number[] => {
        const ofWhole = seenAs(whole);
        if (sentence === whole) return ofWhole;
        return seenAs(sentence).map((own, label) => between(own, ofWhole[label] ?? own, WEIGHT_OF_WHOLE_SENTENCE));
      };
      for (const look of looks) {
        const window = windows[look.index];
        if (window === undefined || look.pieces.length === 0) continue;
        result[look.index] = {
          ...window,
          pieces: look.pieces.map(seenAs),
          ...(look.sentences.length > 0 && { sentences: look.sentences.map(seenWithin) }),
        };
      }
      return result;
    },
  };
}

/** The index of the highest of the shares, or none if even that is too low. */
function decisive(shares: readonly number[]): number[] {
  const highest = Math.max(...shares);
  return highest < LEAST_SHARE ? [] : [shares.indexOf(highest)];
}

/** The indices of the windows with the highest severe toxicity, of those that are worth a look. */
function severest(windows: readonly WindowProbabilities[], { labels, calibration }: Manifest): number[] {
  const least = LEAST_SHARE_OF_SEVERE * calibration.thresholds.severe_toxicity;
  const column = labels.indexOf('severe_toxicity');
  return windows
    .map((window, index) => ({ index, severity: window.labels[column] ?? 0 }))
    .filter(({ severity }) => severity >= least)
    .sort((one, other) => other.severity - one.severity)
    .slice(0, SEVEREST_WINDOWS)
    .map(({ index }) => index);
}

/** The window's risk as a share of what scores 4. */
function riskShare({ labels: probabilities }: WindowProbabilities, { labels, calibration }: Manifest): number {
  const risk = riskOf(new Map(labels.map((label, index) => [label, probabilities[index] ?? 0])), calibration);
  return risk / (calibration.scoreKnots[FIRST_MODERATE_SCORE - 1] ?? 1);
}

/** The highest probability of harm apart from toxicity, as a share of its threshold. */
function otherHarmShare({ labels: probabilities }: WindowProbabilities, { labels, calibration }: Manifest): number {
  return Math.max(
    ...APART_FROM_TOXICITY.map((label) => (probabilities[labels.indexOf(label)] ?? 0) / calibration.thresholds[label]),
  );
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
