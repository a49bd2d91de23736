/** What a run found out: the shape of the `--json` file, and what all reports are made from. Holds no texts. */
import { z } from 'zod';
import { LABELS, SENTIMENTS } from 'parapet/engine';

/** Raised when a member changes its name or meaning; new members leave it as it is. */
export const SCHEMA_VERSION = 1;

const count = z.int().min(0);
const figure = z.number().nullable();
/** A figure and its 95 % interval; `null` where the figure is not defined. */
const estimate = z.object({ value: z.number(), interval: z.tuple([z.number(), z.number()]).nullable() }).nullable();

const decision = z.object({
  name: z.string(),
  /** For a decision by probability: what is flagged is at or above it. */
  threshold: figure,
  confusion: z.object({
    truePositives: count,
    falsePositives: count,
    falseNegatives: count,
    trueNegatives: count,
  }),
  precision: estimate,
  recall: estimate,
  f1: estimate,
  accuracy: estimate,
});

const group = z.object({
  name: z.string(),
  positives: count,
  negatives: count,
  subgroupAuc: estimate,
  bpsnAuc: estimate,
  bnspAuc: estimate,
  /** Of the group's negatives and positives, the shares that the main decision flags. */
  falsePositiveRate: figure,
  recall: figure,
});

const worst = z.object({ name: z.string(), value: z.number() }).nullable();

const groups = z.object({
  groups: z.array(group),
  /** The lowest of each area, among groups with enough rows of both kinds. */
  worst: z.object({ subgroupAuc: worst, bpsnAuc: worst, bnspAuc: worst }),
});

const shares = z.object({ precision: figure, recall: figure, f1: figure });

const fit = z.object({
  /** `PASS_MAX_SCORE`, or the member of the answer to compare with the value. */
  setting: z.string(),
  /** `null` when nothing meets the target. */
  value: figure,
  /** On the rows that it was fitted on. */
  fitted: shares,
  /** On rows that had no part in fitting: cross-validated. */
  heldOut: shares,
});

const binaryFigures = z.object({
  kind: z.literal('binary'),
  positives: count,
  negatives: count,
  rocAuc: estimate,
  averagePrecision: estimate,
  brierScore: estimate,
  expectedCalibrationError: estimate,
  decisions: z.array(decision),
  /** The name of the decision that is meant for the label: of toxicity "not passed", of others their category. */
  mainDecision: z.string(),
  calibrationBins: z.array(
    z.object({ from: z.number(), to: z.number(), rows: count, positives: count, meanProbability: figure }),
  ),
  groups: groups.nullable(),
  fits: z.array(fit),
});

const sentimentFigures = z.object({
  kind: z.literal('sentiment'),
  /** Mean recall of the classes that occur. */
  macroRecall: estimate,
  accuracy: estimate,
  classes: z.array(
    z.object({
      name: z.enum(SENTIMENTS),
      examples: count,
      recall: estimate,
      /** How many of the class were given which class, in the order of the classes. */
      predicted: z.array(count),
    }),
  ),
});

const change = z.object({
  figure: z.string(),
  before: z.number(),
  now: z.number(),
  /** 95 % interval of `now - before`. */
  interval: z.tuple([z.number(), z.number()]),
});

const comparison = z.object({
  file: z.string(),
  model: z.string().nullable(),
  finishedAt: z.string(),
  /** Whether both runs had the very same rows, texts and truths. */
  sameRows: z.boolean(),
  worse: z.array(change),
  better: z.array(change),
  /** Figures that differ by no more than noise, or not at all. */
  unchanged: count,
  /** Figures that only one of the runs has. */
  notCompared: z.array(z.string()),
});

const standIn = z.object({
  /** At or above it a row is flagged; `null` where Perspective flags none. */
  probability: estimate,
  /** Against what Perspective flags, on rows that had no part in fitting: cross-validated. */
  heldOut: shares,
});

const perspectiveFigures = z.object({
  label: z.enum(LABELS),
  column: z.string(),
  /** Judged rows with a score. */
  rows: count,
  thresholds: z.array(
    z.object({
      /** Of Perspective: what it flags is at or above it. */
      threshold: z.number(),
      flagged: count,
      /** Flags as many rows as Perspective does. */
      asMany: standIn,
      /** Has the highest F1 against what Perspective flags. */
      agreesBest: standIn,
    }),
  ),
});

const peerFigures = z.object({
  /** Name and version, as in `name@version`. */
  peer: z.string(),
  /** Judged texts a second, by this peer alone on this machine. */
  rowsPerSecond: z.number(),
  /** Against the first label column that is not sentiment, as if that were of toxicity. */
  figures: binaryFigures,
});

const flagGroups = z.record(z.string(), count);

export const resultsSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  /** ISO 8601, UTC. */
  finishedAt: z.string(),
  file: z.string(),
  textColumn: z.string(),
  groupColumn: z.string().nullable(),
  /** The label of positive rows; `null` for the rule that the README gives. */
  positive: z.string().nullable(),
  /** Where the judging happened. */
  judge: z.string(),
  /** Model and version; `null` when every row was skipped. */
  model: z.string().nullable(),
  rows: count,
  judged: count,
  /** Rows that could not be judged, per error code. They are in no figure. */
  skipped: z.record(z.string(), count),
  seconds: z.number(),
  rowsPerSecond: z.number(),
  resampling: z.object({ samples: count, seed: count }),
  /** One for each label column. */
  measured: z.array(
    z.object({
      labelKind: z.enum([...LABELS, 'sentiment']),
      labelColumn: z.string(),
      /** SHA-256 of all texts and labels: tells whether two runs had the same data. */
      rowsSha256: z.string(),
      figures: z.discriminatedUnion('kind', [binaryFigures, sentimentFigures]),
    }),
  ),
  /** One for each column with scores of Perspective. */
  perspective: z.array(perspectiveFigures).default([]),
  /** Other judges on the same rows. */
  peers: z.array(peerFigures).default([]),
  /** What `fits` were fitted for, in words. */
  fitTarget: z.string().nullable(),
  flagRates: z.object({
    judged: count,
    /** Rows per group of rows, such as "positives". */
    groups: flagGroups,
    flags: z.array(z.object({ name: z.string(), count, groups: flagGroups })),
  }),
  comparison: comparison.nullable(),
  notes: z.array(z.string()),
});

export type Results = z.output<typeof resultsSchema>;
export type Measured = Results['measured'][number];
export type BinaryFigures = z.output<typeof binaryFigures>;
export type SentimentFigures = z.output<typeof sentimentFigures>;
export type Decision = z.output<typeof decision>;
export type GroupFigures = z.output<typeof groups>;
export type Group = z.output<typeof group>;
export type Fit = z.output<typeof fit>;
export type Shares = z.output<typeof shares>;
export type PeerFigures = z.output<typeof peerFigures>;
export type PerspectiveFigures = z.output<typeof perspectiveFigures>;
export type Comparison = z.output<typeof comparison>;
export type Change = z.output<typeof change>;
export type FlagRates = Results['flagRates'];
