/** Starts a FastAPI peer under uvicorn. Knows the ways in which such a server can use all cores, not which of them is best. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataFile } from '../../data-file.js';
import { freePort, HOST, type ServerProcess, type Servers } from './server-process.js';
import { analyzeEndpoint, type Target } from './target.js';

const PEERS = dataFile('load/peers/');
export const REQUIREMENTS = new URL('requirements.txt', PEERS);

export type PeerModule = 'fastapi_torch' | 'fastapi_onnx';

/** One way to use all cores. */
export interface Deployment {
  /** Of uvicorn, each with a model of its own and requests in equal shares. */
  readonly processes: number;
  /** Threads that one forward pass uses. */
  readonly threads: number;
  /** `loop`: one text at a time in each process. `pool`: FastAPI's threads, so that several texts are judged at a time. */
  readonly handler: 'loop' | 'pool';
}

export function deploymentsFor(cores: number): readonly Deployment[] {
  return [
    { processes: cores, threads: 1, handler: 'loop' },
    { processes: cores, threads: 1, handler: 'pool' },
    { processes: 1, threads: cores, handler: 'loop' },
    { processes: 1, threads: 1, handler: 'pool' },
  ];
}

export function describeDeployment({ processes, threads, handler }: Deployment): string {
  const handled = handler === 'loop' ? 'one text at a time each' : "in FastAPI's thread pool";
  return `${processes} uvicorn ${processes === 1 ? 'process' : 'processes'} × ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${handled}`;
}

export interface PeerOptions {
  readonly name: string;
  readonly module: PeerModule;
  readonly python: string;
  readonly modelFolder: string;
  readonly maxTokens: number;
  /** Weights for PyTorch, as models/training writes them; random ones without it. */
  readonly checkpoint?: string | undefined;
}

/**
 * One uvicorn with several workers would leave the shares to chance: whichever process wakes first takes all connections that wait.
 * So each process gets a port of its own, and the generator's connections take turns, as those of a load balancer do.
 */
export async function startPeer(servers: Servers, options: PeerOptions, deployment: Deployment): Promise<Target> {
  const ports = await Promise.all(Array.from({ length: deployment.processes }, freePort));
  const processes = await Promise.all(ports.map((port) => startUvicorn(servers, port, options, deployment)));
  return { name: options.name, endpoint: analyzeEndpoint(ports), processes };
}

function startUvicorn(
  servers: Servers,
  port: number,
  options: PeerOptions,
  { threads, handler }: Deployment,
): Promise<ServerProcess> {
  return servers.start({
    name: options.name,
    command: options.python,
    args: [
      ...['-m', 'uvicorn', `${options.module}:app`, '--app-dir', fileURLToPath(PEERS)],
      ...['--host', HOST, '--port', String(port), '--no-access-log', '--log-level', 'warning'],
    ],
    environment: {
      PYTHONDONTWRITEBYTECODE: '1',
      OMP_NUM_THREADS: String(threads),
      TOKENIZERS_PARALLELISM: 'false',
      PEER_MODEL_FOLDER: resolve(options.modelFolder),
      PEER_MAX_TOKENS: String(options.maxTokens),
      PEER_THREADS: String(threads),
      PEER_HANDLER: handler,
      ...(options.checkpoint !== undefined && { PEER_CHECKPOINT: resolve(options.checkpoint) }),
    },
    readyUrl: `http://${HOST}:${port}/openapi.json`,
  });
}
