/** The service in several processes on one port: how many there are, and what each gets of what the settings say of all. */
import type { Config } from './config/config.js';
import { OperatorError } from './errors.js';
import { supervise, type Ending, type SupervisorOptions } from './processes/supervisor.js';
import { endWith } from './service-process.js';

/** What one HTTP thread feeds: docs/operations/capacity.md. */
const THREADS_PER_PROCESS = 8;

/**
 * @param asked how many, or "auto"
 * @throws OperatorError of one sentence where that is wrong
 */
export async function runProcesses(
  asked: string,
  options: Pick<SupervisorOptions, 'program' | 'flags' | 'isSentToAll'>,
): Promise<Ending> {
  if (!/^(?:[1-9]\d{0,2}|auto)$/.test(asked)) {
    throw new OperatorError('--processes must be a whole number from 1 to 999, or auto. See --help.');
  }
  const { inferenceThreads, maxQueue } = await settings().catch(endWith);
  const processes = asked === 'auto' ? Math.ceil(inferenceThreads / THREADS_PER_PROCESS) : Number(asked);
  if (processes > inferenceThreads) {
    throw new OperatorError(
      `--processes ${processes} is more than INFERENCE_THREADS (${inferenceThreads}), and each needs one.`,
    );
  }
  const { countForProcesses } = await import('./sharing/cluster-counters.js');
  countForProcesses();
  const environment = {
    // What is left over is for the HTTP threads.
    INFERENCE_THREADS: String(Math.floor(inferenceThreads / processes)),
    MAX_QUEUE: String(Math.ceil(maxQueue / processes)),
  };
  return supervise({ ...options, processes, environment });
}

async function settings(): Promise<Config> {
  const { loadConfig } = await import('./config/config.js');
  return loadConfig();
}
