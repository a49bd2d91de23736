/** `models pull`: fetches Google's toxicity model, checks what arrives, and writes the manifest that makes it servable. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, OperatorError } from '../../errors.js';
import { loadClassifier } from '../../inference/load-classifier.js';
import {
  GRAPH_FILE,
  readManifest,
  verifyFiles,
  VOCABULARY_FILE,
  type StoredManifest,
} from '../../inference/manifest.js';
import { googleManifest } from '../../inference/tfjs-toxicity/google-model.js';
import {
  assertToxicityGraph,
  parseGraphFile,
  shardsOf,
  weightBytesOf,
  parseVocabulary,
} from '../../inference/tfjs-toxicity/model-files.js';
import { assertTensorflowInstalled } from '../../inference/tfjs-toxicity/toxicity-classifier.js';
import { readArguments, type Output } from '../command.js';
import { download } from './download.js';
import { sha256Of } from '../../inference/checked-files.js';

/** Where @tensorflow-models/toxicity 1.2.2 and @tensorflow-models/universal-sentence-encoder 1.2.2 look. */
const MODEL_URL = 'https://tfhub.dev/tensorflow/tfjs-model/toxicity/1/default/1/';
const VOCABULARY_URL = 'https://storage.googleapis.com/tfjs-models/savedmodel/universal_sentence_encoder/vocab.json';

const MODEL = 'google-toxicity';
/** Of the address: the hub's first version. */
const MODEL_VERSION = '1.0.0';

export const PULL_HELP = `  pull ${MODEL}         Fetch Google's toxicity model and its vocabulary, check them, and write their manifest. An
                               interrupted download goes on where it stopped when the command is run again.
      --into DIR                 folder to write (models/${MODEL})
      --model-url URL            folder with model.json and the shards of weights
                                 (${MODEL_URL})
      --vocabulary-url URL       vocab.json (${VOCABULARY_URL})
`;

const OPTIONS = {
  into: { type: 'string', default: `models/${MODEL}` },
  'model-url': { type: 'string', default: MODEL_URL },
  'vocabulary-url': { type: 'string', default: VOCABULARY_URL },
} as const;

/** Far more than the real ones have. */
const MAX_TEXT_FILE_BYTES = 32 * 2 ** 20;
const MAX_WEIGHT_BYTES = 512 * 2 ** 20;

export interface ModelsPullDeps {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Between two tries of a file. */
  readonly pauseMs?: number;
  readonly stallMs?: number;
}

/** @throws OperatorError where something does not arrive whole, or is not that model */
export async function pull(argv: readonly string[], deps: ModelsPullDeps): Promise<void> {
  const { values, positionals } = readArguments(argv, OPTIONS);
  if (positionals.length !== 1 || positionals[0] !== MODEL) {
    throw new OperatorError(`The model to pull must be ${MODEL}: npx parapet models pull ${MODEL}. See --help.`);
  }
  const modelUrl = addressOf('--model-url', values['model-url']);
  const vocabularyUrl = addressOf('--vocabulary-url', values['vocabulary-url']);
  assertTensorflowInstalled(`${MODEL}@${MODEL_VERSION}`);
  const folder = values.into;
  if (await isComplete(folder)) {
    deps.stdout.write(`${folder} already holds the whole model.\n`);
    return;
  }
  await mkdir(folder, { recursive: true });
  const fetchInto = createFetcher(folder, deps);

  await fetchInto(GRAPH_FILE, inFolder(modelUrl, GRAPH_FILE), MAX_TEXT_FILE_BYTES);
  const graph = await readChecked(folder, GRAPH_FILE, (content) => {
    const parsed = parseGraphFile(content);
    assertToxicityGraph(parsed);
    if (weightBytesOf(parsed) > MAX_WEIGHT_BYTES) throw new Error('it has more weights than the toxicity model');
    return parsed;
  });
  await fetchInto(VOCABULARY_FILE, vocabularyUrl, MAX_TEXT_FILE_BYTES);
  await readChecked(folder, VOCABULARY_FILE, parseVocabulary);

  const shards = shardsOf(graph);
  const weightBytes = weightBytesOf(graph);
  for (const shard of shards) {
    // A shard gets its name when it is whole.
    if (await exists(join(folder, shard))) deps.stderr.write(`${shard}: already here\n`);
    else await fetchInto(shard, inFolder(modelUrl, shard), weightBytes);
  }
  const files: StoredManifest['files'] = {};
  for (const name of [GRAPH_FILE, VOCABULARY_FILE, ...shards]) {
    const path = join(folder, name);
    files[name] = { sha256: sha256Of(path), bytes: (await stat(path)).size };
  }
  const arrived = shards.reduce((sum, shard) => sum + (files[shard]?.bytes ?? 0), 0);
  if (arrived !== weightBytes) {
    for (const shard of shards) await rm(join(folder, shard));
    throw new OperatorError(
      `The weights have ${arrived} bytes and not the ${weightBytes} that ${GRAPH_FILE} describes. They were removed: run the command again.`,
    );
  }
  await finish(folder, googleManifest({ id: MODEL, version: MODEL_VERSION, files }));
  deps.stdout.write(`${folder} is complete. Start the service with MODEL_DIR=${folder}.\n`);
}

/** The model must answer once before its manifest stays: without one the service refuses the folder. */
async function finish(folder: string, manifest: StoredManifest): Promise<void> {
  const path = join(folder, 'manifest.json');
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
  try {
    const classifier = await loadClassifier({ folder, threads: 1, maxQueue: 0 });
    try {
      await classifier.classify('Parapet is ready.');
    } finally {
      await classifier.close();
    }
  } catch (error) {
    await rm(path);
    throw error;
  }
}

function addressOf(flag: string, value: string): URL {
  if (URL.canParse(value) && /^https?:/.test(value)) return new URL(value);
  throw new OperatorError(`${flag} must be an address with http: or https:.`);
}

/** The hub wants to be told that a file is asked for, and not its page; other servers ignore it. */
function inFolder(folder: URL, name: string): URL {
  const base = new URL(folder);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const url = new URL(name, base);
  url.search = 'tfjs-format=file';
  return url;
}

/** @throws OperatorError where the folder holds another model, which the pull would spoil */
async function isComplete(folder: string): Promise<boolean> {
  if (!(await exists(join(folder, 'manifest.json')))) return false;
  const manifest = await readManifest(folder);
  if (manifest.id !== MODEL) {
    throw new OperatorError(`${folder} holds the model ${manifest.id}. Give another folder with --into.`);
  }
  verifyFiles(folder, manifest);
  return true;
}

async function readChecked<Value>(folder: string, name: string, check: (content: string) => Value): Promise<Value> {
  const path = join(folder, name);
  try {
    return check(await readFile(path, 'utf8'));
  } catch (error) {
    await rm(path, { force: true });
    throw new OperatorError(`The ${name} that arrived is not that of the toxicity model: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

const TRIES = 5;
const PAUSE_MS = 2000;
const STALL_MS = 30_000;

type Fetcher = (name: string, url: URL, maxBytes: number) => Promise<void>;

function createFetcher(folder: string, { stderr, pauseMs = PAUSE_MS, stallMs = STALL_MS }: ModelsPullDeps): Fetcher {
  return async (name, url, maxBytes) => {
    let shownQuarter = 0;
    await download({
      url,
      file: join(folder, name),
      maxBytes,
      tries: TRIES,
      pauseMs,
      stallMs,
      onProgress(receivedBytes, totalBytes) {
        const quarter = totalBytes === undefined ? 0 : Math.floor((4 * receivedBytes) / totalBytes);
        if (quarter <= shownQuarter) return;
        shownQuarter = quarter;
        stderr.write(`${name}: ${quarter * 25} % of ${((totalBytes ?? 0) / 1e6).toFixed(1)} MB\n`);
      },
    });
  };
}
