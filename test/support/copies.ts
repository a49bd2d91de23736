/** Several copies of the built service with one store, on a tiny model: what they spend is spent on requests. */
import { freePort } from './servers/free-port.js';
import { spawnService, temporaryFolder, type Environment, type Service } from './service.js';
import { writeTinyModel } from './models/tiny-classifier.js';

type Afterwards = (clean: () => unknown) => void;

export interface Copy {
  readonly port: number;
  readonly address: string;
  /** The process that runs now. */
  service: Service;
  /** Another process on the same port, once it is ready. */
  startAnew(): Promise<void>;
}

/** One for each settings, with one worker. They live until `afterwards`. @returns them once they are ready */
export async function startCopies(settingsOfEach: readonly Environment[], afterwards: Afterwards): Promise<Copy[]> {
  const folder = temporaryFolder(afterwards);
  writeTinyModel(folder);
  return Promise.all(
    settingsOfEach.map(async (settings) => {
      const port = await freePort();
      const start = (): Service =>
        spawnService({
          MODEL_DIR: folder,
          INFERENCE_THREADS: '1',
          TRUST_PROXY: 'loopback',
          PORT: String(port),
          ...settings,
        });
      const copy: Copy = {
        port,
        address: `http://127.0.0.1:${port}`,
        service: start(),
        async startAnew() {
          copy.service = start();
          await copy.service.ready;
        },
      };
      afterwards(() => copy.service.stop('SIGKILL'));
      await copy.service.ready;
      return copy;
    }),
  );
}
