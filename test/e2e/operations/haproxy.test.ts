/** Promises of docs/operations/haproxy.cfg in front of three copies of the service that share a folder. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startCopies } from '../../support/copies.js';
import { isMissing, startHaproxy } from '../../support/servers/haproxy.js';
import { counted, startLoad } from '../../support/load.js';
import { createKey, temporaryFolder } from '../../support/service.js';

const CLIENTS = 16;
/** Between two restarts. */
const REQUESTS = 300;

const afterTest = (clean: () => unknown): void => onTestFinished(() => void clean());

it.skipIf(isMissing('haproxy'))(
  'under load copies that are restarted one after another, and one that is killed, lose not one request',
  async () => {
    const keysFile = join(temporaryFolder(), 'keys.json');
    const { key } = await createKey(keysFile);
    const copies = await startCopies(Array(3).fill({ KEYS_FILE: keysFile, SHUTDOWN_DELAY_SECONDS: '5' }), afterTest);
    const { address } = await startHaproxy({ ports: copies.map(({ port }) => port) });
    const load = startLoad({ address, keys: Array<string>(CLIENTS).fill(key) });
    await load.further(REQUESTS);
    for (const copy of copies) {
      expect(await copy.service.stop('SIGTERM')).toEqual({ code: 0, stderr: '' });
      await load.further(REQUESTS);
      await copy.startAnew();
      await load.further(REQUESTS);
    }
    const [killed] = copies;
    await killed?.service.stop('SIGKILL');
    await load.further(REQUESTS);
    const asked = await load.stop();
    console.info(`${asked.length} requests`, counted(asked));
    expect(counted(asked)).toEqual({ '200': asked.length });
  },
);
