/** Starts the built service, with a key file of its own, and the bare Fastify route. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { SUBJECTS } from '../loads.js';
import { freePort, HOST, type Servers } from './server-process.js';
import { analyzeEndpoint, type Target } from './target.js';

/** Beside the engine, in the build of the product. */
export const builtSource = (path: string): string =>
  fileURLToPath(new URL(path, import.meta.resolve('parapet/engine')));
const BARE_FASTIFY = new URL('../peers/bare-fastify.js', import.meta.url);

/** The limiter works as always and never refuses. */
const MOST_REQUESTS_PER_MINUTE = '100000000';

/** As `npm start` and the Docker image. */
export const NODE_FLAGS: readonly string[] = [
  '--enable-source-maps',
  '--heap-growing-percent=25',
  '--max-semi-space-size=4',
];

export interface ServiceOptions {
  readonly workers: number;
  readonly modelFolder: string;
  /** More settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Service extends Target {
  readonly keysFile: string;
}

export async function startService(servers: Servers, options: ServiceOptions): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-load-'));
  const keysFile = join(folder, 'keys.json');
  const key = await createKey(keysFile, 'bench');
  const port = await freePort();
  const server = await servers.start({
    name: SUBJECTS.service,
    command: process.execPath,
    args: [...NODE_FLAGS, builtSource('server.js')],
    environment: {
      HOST,
      PORT: String(port),
      KEYS_FILE: keysFile,
      MODEL_DIR: resolve(options.modelFolder),
      INFERENCE_THREADS: String(options.workers),
      RATE_LIMIT_PER_MINUTE: MOST_REQUESTS_PER_MINUTE,
      METRICS: 'public',
      // As in the Docker image, which says why.
      MALLOC_ARENA_MAX: '2',
      ...options.environment,
    },
    readyUrl: `http://${HOST}:${port}/v1/health`,
    cleanUp: () => rm(folder, { recursive: true, force: true }),
  });
  return {
    name: SUBJECTS.service,
    endpoint: analyzeEndpoint([port], { 'X-API-Key': key }),
    isNode: true,
    metricsUrl: `http://${HOST}:${port}/metrics`,
    processes: [server],
    keysFile,
  };
}

const createdKey = z.object({ key: z.string() });

export async function createKey(keysFile: string, project: string): Promise<string> {
  const command = builtSource('cli/keys.js');
  const args = [command, 'create', '--project', project, '--name', 'load', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { KEYS_FILE: keysFile } });
  return createdKey.parse(JSON.parse(stdout)).key;
}

export async function startBareFastify(servers: Servers): Promise<Target> {
  const name = SUBJECTS.bareFastify;
  const port = await freePort();
  const server = await servers.start({
    name,
    command: process.execPath,
    args: [fileURLToPath(BARE_FASTIFY)],
    environment: { PORT: String(port) },
    readyUrl: `http://${HOST}:${port}/`,
  });
  return { name, endpoint: analyzeEndpoint([port]), processes: [server], isNode: true };
}
