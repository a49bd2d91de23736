/** The life of the process: starts the service, handles signals, turns failures into one message and an exit code. */
import type { App, AppManner } from './app.js';
import type { Environment } from './config/config.js';
import { OperatorError } from './errors.js';

export interface Manner extends AppManner {
  /** Of settings, where they differ from those of `npm start`. */
  readonly defaults?: Environment;
}

interface Created {
  readonly app: App;
  /** Until it gives up. */
  readonly longestStopMs: number;
}

/** Starts the service with settings from the environment. @returns the address and the app, once the service is healthy */
export async function runService(manner: Manner = {}): Promise<{ address: string; app: App }> {
  let isStopping = (): boolean => false;
  const creating = create(manner, () => isStopping());
  // Before anything else is loaded: until then a signal ends the process in the system's way, or, in a container, not at all.
  isStopping = stopOnSignals(creating);
  try {
    const { app } = await creating;
    // The process ends when the app has stopped.
    if (isStopping()) return await new Promise<never>(ignore);
    return { address: await started(app), app };
  } catch (error) {
    return endWith(error);
  }
}

/** The workers begin first: they load the model while this thread loads all that HTTP needs. */
async function create({ defaults, ...manner }: Manner, isStopping: () => boolean): Promise<Created> {
  const [{ loadConfig }, { loadClassifier }] = await Promise.all([
    import('./config/config.js'),
    import('./inference/load-classifier.js'),
  ]);
  const config = loadConfig(undefined, defaults);
  const load = (): ReturnType<typeof loadClassifier> =>
    loadClassifier({
      folder: config.modelDir,
      threads: config.inferenceThreads,
      maxQueue: config.maxQueue,
      onWorkerProblem: (problem) => void creating.then(({ http }) => http.log.error({ problem }, 'inference'), ignore),
    });
  // No thread may be ended while it loads the model: that would take seconds.
  const loading = isStopping() ? Promise.reject(new Error('stopped before the model was loaded')) : load();
  loading.catch(ignore);
  const creating = import('./app.js').then(({ createApp }) => createApp(config, loading, manner));
  try {
    return { app: await creating, longestStopMs: config.shutdownDelayMs + config.shutdownTimeoutMs };
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

async function started(app: App): Promise<string> {
  try {
    return await app.start();
  } catch (error) {
    await app.abandon();
    throw error;
  }
}

/** @returns whether a signal has come */
function stopOnSignals(creating: Promise<Created>): () => boolean {
  let stopping = false;
  let code = 0;
  const end = (): void => process.exit(code);
  const giveUp = (app: App): void => {
    code = 1;
    app.abandon().then(end, endWith);
  };
  const stop = ({ app, longestStopMs }: Created, signal: NodeJS.Signals): void => {
    app.http.log.info({ signal }, 'stopping: answering what was accepted');
    setTimeout(() => {
      app.http.log.error('requests were still open at the end of SHUTDOWN_TIMEOUT_SECONDS');
      giveUp(app);
    }, longestStopMs).unref();
    app.stop().then(() => {
      app.http.log.info('stopped');
      end();
    }, endWith);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const isSecond = stopping;
    stopping = true;
    creating.then((created) => {
      if (isSecond) {
        created.app.http.log.warn({ signal }, 'second signal: ending at once');
        giveUp(created.app);
      } else stop(created, signal);
    }, ignore);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', onSignal);
  return () => stopping;
}
