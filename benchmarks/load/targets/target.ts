/** A server that is measured. */
import type { Endpoint } from '../generator/load-plan.js';
import { HOST, type ServerProcess } from './server-process.js';

export interface Target {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly processes: readonly ServerProcess[];
  /** Whether its first thread is Node's, so that its threads can be told apart. */
  readonly isNode?: true;
  /** Where it keeps times of its stages; only the service does. */
  readonly metricsUrl?: string;
}

/** All peers take what the service takes, so that one generator measures all. */
export function analyzeEndpoint(ports: readonly number[], headers: Endpoint['headers'] = {}): Endpoint {
  return { host: HOST, ports, path: '/v1/analyze', headers };
}

export async function stopTarget({ processes }: Target): Promise<void> {
  await Promise.all(processes.map((server) => server.stop()));
}
