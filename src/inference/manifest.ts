/**
 * The manifest of a model folder: what the files are, which labels they give, and how probabilities become verdicts. Reads and
 * checks it; the numbers in it come from the training code.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCodeOf, OperatorError } from '../errors.js';
import { LABELS, SENTIMENTS, type Label } from '../labels.js';
import { sha256Of } from './checked-files.js';

const probability = z.number().min(0).max(1);

/** What may stand in a regular expression: a name that Unicode does not have is a syntax error there. */
function isScript(name: string): boolean {
  if (!/^[A-Za-z_]+$/.test(name)) return false;
  try {
    RegExp(`\\p{Script=${name}}`, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Of BCP 47, and written as there: `pt-BR`. */
function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

function isRising(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value >= (values[index - 1] ?? value));
}

function isDistinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

/** Points [x, y] of a piecewise linear, non-decreasing map. */
const curve = z
  .array(z.tuple([probability, probability]))
  .min(2)
  .refine(
    (points) => isRising(points.map(([x]) => x)) && isRising(points.map(([, y]) => y)),
    'must be sorted and non-decreasing',
  );

const weight = z.number().min(0);

/** Weights of one label, in log-odds: none but the bias is negative, so that no text is safer for a segment that is worse. */
const poolingSchema = z.object({
  /** Probabilities below it count as none. */
  epsilon: z.number().gt(0).lt(1),
  labels: z.partialRecord(
    z.enum(LABELS),
    z.object({ bias: z.number(), highest: weight, whole: weight, second: weight, rest: weight, count: weight }),
  ),
});
export type Pooling = z.output<typeof poolingSchema>;

const language = z.string().refine(isLanguageTag, 'must be a language tag of BCP 47: en, pt-BR, hi-Latn');

const calibrationSchema = z.object({
  /** Least probability at which a label counts as detected: one for each label of the model. */
  thresholds: z.partialRecord(z.enum(LABELS), probability),
  /** risk = max(toxicity, curve(label probability) for each label here). */
  riskCurves: z.partialRecord(z.enum(LABELS), curve),
  /** scoreKnots[i] is the least risk of score i + 1. */
  scoreKnots: z.array(probability).length(10).refine(isRising, 'must be non-decreasing'),
  /** How the segments of a text make the text; without it the strongest segment counts. See src/moderation/pooling.ts. */
  pooling: poolingSchema.optional(),
  /** What is added to a label's log-odds in a language, times the probability of that language. */
  languageShifts: z.partialRecord(z.enum(LABELS), z.record(language, z.number())).optional(),
});

/** The files that a model of the ONNX runtime has. */
export const MODEL_FILE = 'model.onnx';
export const TOKENIZER_FILE = 'tokenizer.json';
/** The files that a model of the TensorFlow.js runtime has, beside the shards of weights that the graph names. */
export const GRAPH_FILE = 'model.json';
export const VOCABULARY_FILE = 'vocab.json';

const FILES_OF_RUNTIME = {
  onnx: [MODEL_FILE, TOKENIZER_FILE],
  'tfjs-toxicity': [GRAPH_FILE, VOCABULARY_FILE],
} as const;
const RUNTIMES = ['onnx', 'tfjs-toxicity'] as const satisfies (keyof typeof FILES_OF_RUNTIME)[];

/** Each is a series of a metric. */
const MAX_LANGUAGES = 200;

const storedManifestSchema = z.object({
  /** 1 has no pooling. */
  format: z.union([z.literal(1), z.literal(2)]),
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  version: z.string().regex(/^\d+\.\d+\.\d+([-+][\w.]+)?$/),
  runtime: z.enum(RUNTIMES),
  labels: z.array(z.enum(LABELS)).min(1),
  sentiments: z.array(z.enum(SENTIMENTS)).length(SENTIMENTS.length),
  /** In the order of the network's output `languages`, where they are several: behind them it has one for all others. */
  languages: z.array(language).min(1).max(MAX_LANGUAGES).refine(isDistinct, 'must be distinct').default(['en']),
  /** Those of them that the model is not good enough at to rely on. */
  experimentalLanguages: z.array(language).default([]),
  /**
   * Scripts whose letters the model has learnt, by the names of Unicode's property Script. A manifest without them is of a time when all
   * models were of English.
   */
  scripts: z
    .array(z.string().refine(isScript, "must be a script's name, as Unicode has it: Latin, Cyrillic, Han"))
    .min(1)
    .default(['Latin']),
  window: z.object({
    /** Most tokens of a text that the network reads at once, its frame included. */
    maxTokens: z.int().min(16).max(512),
    /** Most texts that it reads side by side, each as if it were alone. */
    maxTexts: z.int().min(1).max(64).default(1),
  }),
  calibration: calibrationSchema,
  files: z.record(
    z.string().regex(/^[\w.-]+$/, 'must be plain file names'),
    z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().positive() }),
  ),
  /** Figures on data that the model never saw, for people and reports. */
  measured: z.record(z.string(), z.unknown()),
  /** Why the calibration is as it is, where no validation data decided it. */
  reasons: z.record(z.string(), z.string()).optional(),
});
export type StoredManifest = z.input<typeof storedManifestSchema>;

const manifestSchema = storedManifestSchema
  .superRefine((manifest, context) => {
    const { format, runtime, labels, languages } = manifest;
    const { thresholds, pooling, languageShifts = {} } = manifest.calibration;
    const refuse = (path: string[], message: string): void => context.addIssue({ code: 'custom', path, message });
    const missing = (path: string[]): void => refuse(path, 'is missing');
    for (const label of labels) {
      if (thresholds[label] === undefined) missing(['calibration', 'thresholds', label]);
      if (format === 2 && pooling?.labels[label] === undefined) missing(['calibration', 'pooling', 'labels', label]);
    }
    const hasSeveral = languages.length > 1;
    if (hasSeveral && (format === 1 || runtime !== 'onnx')) {
      refuse(['languages'], 'must be one but in format 2 of the runtime onnx');
    }
    for (const tag of manifest.experimentalLanguages) {
      if (!languages.includes(tag)) refuse(['experimentalLanguages'], `${tag} is not in languages`);
    }
    for (const label of LABELS) {
      const shifts = languageShifts[label];
      if (shifts === undefined) continue;
      const path = ['calibration', 'languageShifts', label];
      if (!hasSeveral) refuse(path, 'must be of a model with several languages');
      if (!labels.includes(label)) refuse(path, 'is not in labels');
      for (const tag of Object.keys(shifts)) {
        if (!languages.includes(tag)) refuse([...path, tag], 'is not in languages');
      }
    }
  })
  .transform((manifest) => ({ ...manifest, calibration: completed(manifest.calibration) }));
export type Manifest = z.output<typeof manifestSchema>;
export type Calibration = Manifest['calibration'];

/** A label that the model does not know is never detected: no probability reaches its threshold. */
function completed({ thresholds, ...others }: z.output<typeof calibrationSchema>) {
  const never = Object.fromEntries(LABELS.map((label) => [label, Infinity])) as Record<Label, number>;
  return { ...others, thresholds: { ...never, ...thresholds } };
}

const RESTORE =
  'Restore the folder from the release (git checkout -- models, or install the package anew), pull the model again (npx parapet models pull), or point MODEL_DIR at a whole model.';

/** @throws OperatorError when the manifest is missing, is not JSON, or does not describe a model that this version can serve. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new OperatorError(
      `Cannot read the model manifest ${path} (${errorCodeOf(error) ?? String(error)}). ${RESTORE}`,
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new OperatorError(`The model manifest ${path} is not valid JSON. ${RESTORE}`);
  }
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) {
    throw new OperatorError(`The model manifest ${path} is not valid:\n${z.prettifyError(parsed.error)}\n${RESTORE}`);
  }
  for (const file of FILES_OF_RUNTIME[parsed.data.runtime]) {
    if (!(file in parsed.data.files)) {
      throw new OperatorError(`The model manifest ${path} does not name ${file}. ${RESTORE}`);
    }
  }
  return parsed.data;
}

/** @throws OperatorError that names the first file that is missing or whose SHA-256 differs from the manifest's. */
export function verifyFiles(folder: string, manifest: Manifest): void {
  for (const [name, expected] of Object.entries(manifest.files)) {
    const path = join(folder, name);
    let sha256: string;
    try {
      sha256 = sha256Of(path);
    } catch (error) {
      throw new OperatorError(
        `Cannot read the model file ${path} (${errorCodeOf(error) ?? String(error)}). ${RESTORE}`,
      );
    }
    if (sha256 !== expected.sha256) {
      throw new OperatorError(
        `The model file ${path} is not the one that its manifest describes (SHA-256 differs): it was altered or cut. ${RESTORE}`,
      );
    }
  }
}

/** Of the texts of a language that nobody trained on: which share of the harmful was found, and of the harmless passed. */
const languageFiguresSchema = z.object({
  texts: z.int().min(0),
  found: z.number().min(0).max(1),
  passed: z.number().min(0).max(1),
});
export type LanguageFigures = z.output<typeof languageFiguresSchema>;

/** @param language as a tag of BCP 47. @returns undefined where nobody has measured it so */
export function figuresOf({ measured }: Pick<Manifest, 'measured'>, language: string): LanguageFigures | undefined {
  const gates = z.record(z.string(), z.unknown()).safeParse(measured.gates).data;
  return languageFiguresSchema.safeParse(gates?.[language]).data;
}
