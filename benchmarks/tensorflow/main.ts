/**
 * The process behind `npm run bench:tensorflow`: how fast each backend of TensorFlow.js judges texts in one thread, and how far their
 * answers differ. Without --model it measures a stand-in of about the size of Google's model, with random weights.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { findBackend, setBackend } from '@tensorflow/tfjs-core';
import { OperatorError } from '../../src/errors.js';
import { readText } from '../../src/text/read-text.js';
import { readManifest, verifyFiles } from '../../src/inference/manifest.js';
import { labelProbabilities } from '../../src/inference/tfjs-toxicity/google-labels.js';
import { LocalToxicityClassifier } from '../../src/inference/tfjs-toxicity/local-classifier.js';
import { createTextCutter } from '../../src/inference/tfjs-toxicity/text-runs.js';
import { assertTensorflowInstalled } from '../../src/inference/tfjs-toxicity/toxicity-classifier.js';
import { readFlags, runCommand, wholeNumber } from '../command.js';
import { LITE_SIZE } from './encoder-graph.js';
import { writeStandInModel } from './stand-in-model.js';

const SENTENCE = 'The museum opens at nine and closes at six, you stupid idiot. ';
const TEXTS = [
  ['short', SENTENCE],
  ['300 characters', SENTENCE.repeat(5)],
  ['1,000 characters', SENTENCE.repeat(16)],
] as const;

const DEFAULT_SECONDS = '10';

const HELP = `Usage: npm run --silent bench:tensorflow -- [--model DIR] [--seconds S]

Says how fast each backend of TensorFlow.js judges texts in one thread, and how far their answers differ.

  --model DIR           folder of Google's toxicity model, as models:pull writes it; a stand-in with random weights without it
  --seconds S           how long each text is measured on each backend, in whole seconds (${DEFAULT_SECONDS})

Exit status: 0, or 2 with the reason on standard error.
`;

await runCommand(HELP, async (argv) => {
  const flags = readFlags(argv, {
    model: { type: 'string' },
    seconds: { type: 'string', default: DEFAULT_SECONDS },
  });
  const seconds = wholeNumber('seconds', flags.seconds, 1);
  assertTensorflowInstalled('that is measured');
  if (flags.model !== undefined) {
    await compare(flags.model, seconds);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'parapet-stand-in-'));
  try {
    writeStandInModel(folder, { size: LITE_SIZE, vocabularySize: 8000, shards: 7 });
    await compare(folder, seconds);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function compare(folder: string, seconds: number): Promise<void> {
  await import('@tensorflow/tfjs-backend-wasm');
  await import('@tensorflow/tfjs-node').catch(() => undefined);
  const manifest = await readManifest(folder);
  await verifyFiles(folder, manifest);
  process.stdout.write(`${manifest.id}@${manifest.version}, Node ${process.version}, one thread of ours\n`);
  const answers: number[][] = [];
  // The first is what the others are compared with.
  for (const backend of ['wasm', 'tensorflow', 'cpu']) {
    if (findBackend(backend) === null && backend !== 'wasm') process.stdout.write(`${backend}: not installed\n`);
    else answers.push(await measure(backend, { folder, seconds, maxTokens: manifest.window.maxTokens }));
  }
  const [first = [], ...others] = answers;
  const apart = others.flatMap((other) => other.map((value, index) => Math.abs(value - (first[index] ?? NaN))));
  if (apart.length > 0)
    process.stdout.write(`greatest difference between backends: ${Math.max(...apart).toExponential(1)}\n`);
}

interface Measurement {
  readonly folder: string;
  readonly seconds: number;
  readonly maxTokens: number;
}

/** Prints the speed of one backend. @returns its probabilities of all texts */
async function measure(backend: string, { folder, seconds, maxTokens }: Measurement): Promise<number[]> {
  if (!(await setBackend(backend))) throw new OperatorError(`The backend ${backend} does not start.`);
  const classifier = new LocalToxicityClassifier(folder);
  await classifier.load();
  const cut = createTextCutter((text) => classifier.encode(text), maxTokens);
  const runsOf = (text: string) => readText(text).segments.flatMap(cut);
  const judge = async (text: string): Promise<number[]> => {
    const judged: number[] = [];
    for (const part of runsOf(text)) judged.push(...labelProbabilities(await classifier.classify([part.text])));
    return judged;
  };
  const answers: number[] = [];
  for (const [name, text] of TEXTS) {
    answers.push(...(await judge(text)));
    const begun = performance.now();
    let texts = 0;
    for (; performance.now() - begun < seconds * 1000; texts += 1) await judge(text);
    const perSecond = texts / ((performance.now() - begun) / 1000);
    const tokens = runsOf(text).reduce((sum, part) => sum + part.tokens, 0);
    process.stdout.write(`${backend}: ${name} (${tokens} tokens): ${perSecond.toFixed(1)} texts/s\n`);
  }
  classifier.dispose();
  return answers;
}
