/** What `doctor` says of what the service needs: model, runtime, what is kept, disk, port. Changes nothing. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rmdir, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config/config.js';
import { errorCodeOf, messageOf } from '../../errors.js';
import { loadClassifier } from '../../inference/load-classifier.js';
import { readManifest, verifyFiles } from '../../inference/manifest.js';
import { turnOffTelemetry } from '../../inference/onnx/no-telemetry.js';
import { keyStateAt, type Key } from '../../keys/key-record.js';
import { openStore, type StorePlace } from '../../storage/open-store.js';
import type { Finding } from './machine-checks.js';

export type CheckedConfig = Pick<Config, 'host' | 'port' | 'metrics' | 'modelDir' | 'decisionKeys'> & StorePlace;

export async function checkModel({ modelDir }: CheckedConfig): Promise<{ finding: Finding; isWhole: boolean }> {
  const name = 'model';
  try {
    const manifest = await readManifest(modelDir);
    verifyFiles(modelDir, manifest);
    const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0);
    const says = `${manifest.id}@${manifest.version}, ${(bytes / 1e6).toFixed(1)} MB, every file as its manifest says, in ${modelDir}`;
    return { finding: { name, state: 'ok', says }, isWhole: true };
  } catch (error) {
    const todo = 'Install the package anew, or set MODEL_DIR to the folder of a model ("npx parapet models list").';
    return { finding: { name, state: 'failed', says: messageOf(error), todo }, isWhole: false };
  }
}

/** In a worker thread, as the service does; of a model that is not whole the runtime is loaded and no more. */
export async function checkRuntime({ modelDir }: CheckedConfig, isWhole: boolean): Promise<Finding> {
  const name = 'runtime';
  try {
    if (!isWhole) {
      turnOffTelemetry();
      const { loadLibrary } = await import('../../inference/onnx/session.js');
      const { backend } = await loadLibrary();
      const says = `${backend === undefined ? onnxRuntime() : 'ONNX Runtime'} loads; no text was judged`;
      return runtimeFinding(says, backend?.problem);
    }
    const start = performance.now();
    const problems: string[] = [];
    const onWorkerProblem = (problem: string): unknown => problems.push(problem);
    const classifier = await loadClassifier({ folder: modelDir, threads: 1, maxQueue: 1, onWorkerProblem });
    const loaded = performance.now();
    await classifier.classify('Parapet is ready.').finally(() => classifier.close());
    const [loadMs, judgeMs] = [loaded - start, performance.now() - loaded].map(Math.ceil);
    const [problem] = problems;
    const runtime =
      classifier.manifest.runtime === 'onnx' && problem === undefined ? onnxRuntime() : classifier.manifest.runtime;
    return runtimeFinding(`${runtime} loads the model in ${loadMs} ms and judges a text in ${judgeMs} ms`, problem);
  } catch (error) {
    return { name, state: 'failed', says: messageOf(error), todo: `${PLATFORMS}. There, ${INSTALL_ANEW}.` };
  }
}

const INSTALL_ANEW = 'install anew for this machine ("npm ci" or "npm install", not a node_modules of another)';
const PLATFORMS = 'The native library comes for Linux with glibc and Windows on x64 and arm64, and for macOS on arm64';

function runtimeFinding(says: string, problem: string | undefined): Finding {
  const name = 'runtime';
  if (problem === undefined) return { name, state: 'ok', says };
  return {
    name,
    state: 'warning',
    says: `${says}; ${problem}`,
    todo: `It works. ${PLATFORMS}: there, ${INSTALL_ANEW}.`,
  };
}

function onnxRuntime(): string {
  const manifest: unknown = createRequire(import.meta.url)('onnxruntime-node/package.json');
  return `onnxruntime-node ${z.object({ version: z.string() }).parse(manifest).version}`;
}

export interface StoreFound {
  readonly finding: Finding;
  readonly keys: readonly Key[];
  /** How many projects keep texts. */
  readonly keepers: number;
  /** Where the records of people and decisions are; undefined where the store cannot be read. */
  readonly records: string | undefined;
}

/** Opens what is kept, and sees whether a file can be made beside files. */
export async function checkStore(place: StorePlace, now: Date): Promise<StoreFound> {
  const name = 'store';
  const inFiles = place.databaseUrl === undefined;
  let found: Omit<StoreFound, 'finding'> & { readonly location: string };
  try {
    found = await readStore(place);
  } catch (error) {
    const todo = inFiles
      ? 'Put back a copy of the file that is named, or mend it: until then requests get 503.'
      : 'See to the database of DATABASE_URL: until then requests get 503.';
    return {
      finding: { name, state: 'failed', says: messageOf(error), todo },
      keys: [],
      keepers: 0,
      records: undefined,
    };
  }
  const { location, keys } = found;
  const active = keys.filter((key) => keyStateAt(key, now) === 'active').length;
  const says = `${location}: ${active} active ${active === 1 ? 'key' : 'keys'}`;
  const folder = existingFolder(place.keysFile);
  try {
    if (inFiles) await rmdir(await mkdtemp(join(folder, '.parapet-doctor-')));
  } catch (error) {
    const reason = `${says}; ${folder} cannot be written (${errorCodeOf(error) ?? String(error)})`;
    const todo = `Let the service's user write there, or set PARAPET_HOME or KEYS_FILE to where it may.`;
    // Keys that something else brings are read all the same: docs/operations/README.md.
    return { finding: { name, state: active > 0 ? 'warning' : 'failed', says: reason, todo }, ...found };
  }
  if (active > 0) return { finding: { name, state: 'ok', says }, ...found };
  const todo = 'Make one: npx parapet keys create --project NAME --name LABEL';
  return { finding: { name, state: 'warning', says, todo }, ...found };
}

/** @throws OperatorError that names what cannot be read */
async function readStore(place: StorePlace) {
  const store = await openStore(place);
  try {
    await store.refresh();
    store.check();
    let keepers = 0;
    for (const { id } of await store.projects.list()) {
      const inForce = await store.policies.inForce(id);
      if (inForce?.policy.keep?.what === 'texts') keepers += 1;
    }
    return { location: store.location, keys: await store.keys.list(), keepers, records: store.sql.location };
  } finally {
    await store.close();
  }
}

/** Enough for keys, policies, statistics and a copy of each while it is written. */
const LEAST_FREE_BYTES = 64 * 2 ** 20;

export async function checkDisk({ keysFile }: StorePlace): Promise<Finding> {
  const folder = existingFolder(keysFile);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const says = `${(free / 1e9).toFixed(1)} GB free in ${folder}`;
  if (free >= LEAST_FREE_BYTES) return { name: 'disk', state: 'ok', says };
  return { name: 'disk', state: 'failed', says, todo: 'Make room: what cannot be written, keys among it, is lost.' };
}

/** The folder of the file, or the one in which it would be made. */
function existingFolder(file: string): string {
  let folder = dirname(resolve(file));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

const OF_PORT: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Stop the program that has it, or set another port.',
  EACCES: 'Ports below 1024 are not for every user: set another, and put a proxy in front.',
  EADDRNOTAVAIL: 'Set HOST to an address of this machine: 127.0.0.1 for itself, 0.0.0.0 for all.',
};

/** @param name `port`, or that of the setting in small letters */
export async function checkPort(name: string, host: string, port: number): Promise<Finding> {
  const where = `${host}:${port}`;
  if (port === 0) return { name, state: 'ok', says: 'any that is free' };
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return { name, state: 'ok', says: `${where} is free` };
  } catch (error) {
    const code = errorCodeOf(error) ?? String(error);
    const health = code === 'EADDRINUSE' && name === 'port' ? await healthAt(host, port) : undefined;
    if (health === 'healthy') return { name, state: 'ok', says: `a healthy Parapet listens at ${where}` };
    if (health !== undefined) {
      return { name, state: 'failed', says: `the Parapet at ${where} is ${health}`, todo: 'See what its log says.' };
    }
    const todo = OF_PORT[code] ?? 'Set HOST and PORT to where the service may listen.';
    return { name, state: 'failed', says: `${where} cannot be had (${code})`, todo };
  } finally {
    server.close();
  }
}

const healthBody = z.object({ status: z.enum(['healthy', 'starting', 'unhealthy']) });

/** What a service that is there already says of itself; undefined where it is another program. */
async function healthAt(host: string, port: number): Promise<string | undefined> {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${address}:${port}/v1/health`, { signal: AbortSignal.timeout(2000) });
    return healthBody.parse(await answer.json()).status;
  } catch {
    return undefined;
  }
}
