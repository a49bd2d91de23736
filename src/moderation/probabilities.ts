/** Combines what the model said of the windows of a text, and of its copies, into one probability per label. Pure functions. */
import type { Manifest } from '../inference/manifest.js';
import type { Label, Sentiment } from '../labels.js';
import type { JudgedWindow } from './closer-look.js';
import { lengthCorrection, standOutOf } from './length-correction.js';
import { between, logOddsOf, lowered, mean, sigmoid } from './log-odds.js';

export type LabelProbabilities = ReadonlyMap<Label, number>;
export type SentimentProbabilities = ReadonlyMap<Sentiment, number>;

export interface TextProbabilities {
  /** Per label of the model, from 0 to 1. */
  readonly labels: LabelProbabilities;
  /** Per sentiment, summing to 1. */
  readonly sentiments: SentimentProbabilities;
  /** Share of the text that the model could not read, from 0 to 1. */
  readonly unread: number;
}

/**
 * The probabilities of a whole text. A label takes its strongest window or, where that was looked at closely, its strongest piece; lowered
 * for the length of the text. Sentiment is the mean over windows, weighted by their tokens.
 */
export function combineWindows(windows: readonly JudgedWindow[], manifest: Manifest): TextProbabilities {
  const labels = new Map<Label, number>();
  const ofWindows = new Map(
    manifest.labels.map((label, index) => [label, windows.map((window) => window.labels[index] ?? 0)]),
  );
  const isLong = standOutOf(windows.length, manifest.calibration) !== undefined;
  const signsOfAbuse = isLong ? (manifest.calibration.signsOfAbuse ?? 0) : 0;
  manifest.labels.forEach((label, index) => {
    const strengthOf: Strength =
      label === 'toxicity' && signsOfAbuse > 0
        ? (piece) => abuse(piece, signsOfAbuse, manifest)
        : (piece) => piece[index] ?? 0;
    const inWindows = ofWindows.get(label) ?? [];
    const highest = Math.max(...inWindows);
    const strongest = inWindows.indexOf(highest);
    const looked = label === FOUND_IN_ANY_WINDOW ? windows : windows.slice(strongest, strongest + 1);
    const seen = looked.flatMap((window) => inPieces(window, index, label, strengthOf) ?? []);
    const probability = seen.length > 0 ? Math.max(...seen) : highest;
    labels.set(label, lowered(probability, lengthCorrection(ofWindows, strongest, label, manifest.calibration)));
  });
  // An empty window still has an opinion: weight 1 keeps the mean defined.
  const weights = windows.map((window) => Math.max(1, window.tokens));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sentiments = new Map<Sentiment, number>();
  manifest.sentiments.forEach((sentiment, index) => {
    const sum = windows.reduce((so, window, row) => so + (window.sentiments[index] ?? 0) * (weights[row] ?? 0), 0);
    sentiments.set(sentiment, sum / total);
  });
  const unread = windows.reduce((sum, window) => sum + window.unreadTokens, 0) / total;
  return { labels, sentiments, unread };
}

/** Of these a window's sentences count, twice as much as its pieces. Other harm is told by its context (decisions 42 and 52). */
const TOLD_BY_A_SENTENCE: readonly Label[] = ['toxicity', 'severe_toxicity'];
const WEIGHT_OF_SENTENCES = 2 / 3;
/** Several windows are looked at for its sake: the pieces of each may say more than those of the strongest one (decision 50). */
const FOUND_IN_ANY_WINDOW: Label = 'severe_toxicity';
/** What is vile by itself but not where it stands is so more often by mistake (decision 57). */
const WEIGHT_OF_ITS_WINDOW = 0.1;

/** What a piece or a sentence, one probability per label, says of a label. */
type Strength = (piece: readonly number[]) => number;

/** Abuse is also one of these, while what is sworn in passing or only mentioned is mostly toxic alone (decision 59). */
const SIGNS_OF_ABUSE: readonly Label[] = ['severe_toxicity', 'obscene', 'insult'];

/** What the pieces of a window say of a label; undefined where it was not looked at closely enough for that. */
function inPieces(window: JudgedWindow, index: number, label: Label, strengthOf: Strength): number | undefined {
  if (window.pieces === undefined) return undefined;
  const strongestOf = (pieces: readonly (readonly number[])[]): number => Math.max(...pieces.map(strengthOf));
  const strongest = strongestOf(window.pieces);
  if (!TOLD_BY_A_SENTENCE.includes(label)) return strongest;
  if (window.sentences === undefined) return label === FOUND_IN_ANY_WINDOW ? undefined : strongest;
  const apart = between(strongest, strongestOf(window.sentences), WEIGHT_OF_SENTENCES);
  return label === FOUND_IN_ANY_WINDOW ? between(apart, window.labels[index] ?? 0, WEIGHT_OF_ITS_WINDOW) : apart;
}

/**
 * The toxicity of a piece together with the mean of its signs of abuse, each measured by its own threshold: what is at all four thresholds is
 * at that of toxicity.
 */
function abuse(
  piece: readonly number[],
  weightOfSigns: number,
  { labels, calibration: { thresholds } }: Manifest,
): number {
  const excessOf = (label: Label): number =>
    logOddsOf(piece[labels.indexOf(label)] ?? 0) - logOddsOf(thresholds[label]);
  const signs = SIGNS_OF_ABUSE.filter((label) => labels.includes(label));
  const ofSigns = signs.length === 0 ? excessOf('toxicity') : mean(signs.map(excessOf));
  const excess = (1 - weightOfSigns) * excessOf('toxicity') + weightOfSigns * ofSigns;
  return Number.isNaN(excess) ? thresholds.toxicity : sigmoid(logOddsOf(thresholds.toxicity) + excess);
}

/**
 * How much less, in log-odds, a disguised text counts than its readable copy. The model takes odd spelling itself for a bad sign, so
 * that the worse of the two flagged three to five more in a hundred harmless texts that were disguised; the copy alone would let
 * through what it misreads.
 */
const DISGUISED_DISCOUNT = 1.5;

/** The probabilities of a text from it as sent and from its de-obfuscated copy, if it has one. The rest is that of the copy. */
export function combineViews(asSent: TextProbabilities, copy?: TextProbabilities): TextProbabilities {
  if (copy === undefined) return asSent;
  const labels = new Map<Label, number>();
  for (const [label, probability] of asSent.labels) {
    labels.set(label, Math.max(copy.labels.get(label) ?? 0, lowered(probability, DISGUISED_DISCOUNT)));
  }
  return { ...copy, labels };
}
