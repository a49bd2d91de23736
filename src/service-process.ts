/** The life of the process: starts the service, handles signals, turns failures into one message and an exit code. */
import { createApp, type App } from './app.js';
import { loadConfig } from './config.js';
import { OperatorError } from './errors.js';

/** Starts the service with settings from the environment. @returns the address, once the service is healthy */
export async function runService(): Promise<string> {
  try {
    const config = loadConfig();
    const app = await createApp(config);
    stopOnSignals(app, config.shutdownTimeoutMs);
    return await app.start();
  } catch (error) {
    return endWith(error);
  }
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
