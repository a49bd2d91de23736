/** The life of the process: starts the service, handles signals, turns failures into one message and an exit code. */
import type { App, AppManner } from './app.js';
import { loadConfig, type Config, type Environment } from './config/config.js';
import { OperatorError } from './errors.js';
import { loadClassifier } from './inference/load-classifier.js';

export interface Manner extends AppManner {
  /** Of settings, where they differ from those of `npm start`. */
  readonly defaults?: Environment;
}

/** Starts the service with settings from the environment. @returns the address and the app, once the service is healthy */
export async function runService({ defaults, ...manner }: Manner = {}): Promise<{ address: string; app: App }> {
  try {
    return await start(loadConfig(undefined, defaults), manner);
  } catch (error) {
    return endWith(error);
  }
}

/** The workers begin first: they load the model while this thread loads all that HTTP needs. */
async function start(config: Config, manner: AppManner): Promise<{ address: string; app: App }> {
  const loading = loadClassifier({
    folder: config.modelDir,
    threads: config.inferenceThreads,
    maxQueue: config.maxQueue,
    onWorkerProblem: (problem) => void creating.then(({ http }) => http.log.error({ problem }, 'inference'), ignore),
  });
  loading.catch(ignore);
  const creating = import('./app.js').then(({ createApp }) => createApp(config, loading, manner));
  try {
    const app = await creating;
    stopOnSignals(app, config.shutdownTimeoutMs);
    return { address: await app.start(), app };
  } catch (error) {
    // The process crashes if it ends while a worker computes.
    await loading.then((classifier) => classifier.close('abandon'), ignore);
    throw error;
  }
}

/** Of what is told elsewhere. */
function ignore(): undefined {
  return undefined;
}

/** Prints why the process ends, and ends it with 1. What the operator can mend needs no stack trace; a fault of ours does. */
export function endWith(error: unknown): never {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`parapet: ${error instanceof OperatorError ? error.message : stack}\n`);
  process.exit(1);
}

function stopOnSignals(app: App, timeoutMs: number): void {
  let stopping = false;
  let code = 0;
  const end = (): void => process.exit(code);
  const giveUp = (): void => {
    code = 1;
    app.abandon().then(end, endWith);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) {
      app.http.log.warn({ signal }, 'second signal: ending at once');
      giveUp();
      return;
    }
    stopping = true;
    app.http.log.info({ signal }, 'stopping: answering what was accepted');
    setTimeout(() => {
      app.http.log.error('requests were still open at the end of SHUTDOWN_TIMEOUT_SECONDS');
      giveUp();
    }, timeoutMs).unref();
    app.stop().then(() => {
      app.http.log.info('stopped');
      end();
    }, endWith);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
