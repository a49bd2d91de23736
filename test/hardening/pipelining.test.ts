/** What strangers without a key can do with requests sent ahead, on the built service: open no file, and keep nobody waiting. */
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { eventually, health, startService, type ReadyService } from '../support/service.js';
import { requestText } from '../support/raw-http.js';
import { sized, TIME_LIMIT_MS } from './scale.js';

/** The client and other tests share the machine. */
const MOST_WAIT_MS = 5_000;

/** Connections that send so many requests ahead and read no answer. */
async function sendAhead(service: ReadyService, connections: number, requests: number, path: string) {
  const { hostname, port } = new URL(service.address);
  const bytes = requestText('GET', path).repeat(requests);
  const open = Array.from({ length: connections }, async (): Promise<Socket> => {
    const socket = connect(Number(port), hostname);
    // A reset is how the service may end it.
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  });
  return Promise.all(open);
}

function answeredOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    socket.once('data', resolve).once('close', () => resolve());
  });
}

function openDescriptors(service: ReadyService): number {
  return readdirSync(`/proc/${service.child.pid}/fd`).length;
}

it.runIf(process.platform === 'linux')(
  'connections that drop what they asked for leave no file open',
  async () => {
    const service = await startService({ INFERENCE_THREADS: '1' });
    await health(service.address);
    const before = openDescriptors(service);
    const sockets = await sendAhead(service, 52, 30, '/docs/static/swagger-ui-bundle.js');
    for (const socket of sockets) socket.destroy();
    // The last of them has been noticed when only the one that asks is left.
    const after = await eventually(
      async () => {
        await health(service.address);
        return openDescriptors(service);
      },
      (count) => count <= before + 1,
    );
    expect(after).toBeLessThanOrEqual(before + 1);
  },
  TIME_LIMIT_MS,
);

it.each([
  // The first is answered, and the second closed because it sends too much.
  ['/openapi.json', 30],
  ['/openapi.json', 60],
])(
  'GET %s, %i times ahead on hundreds of connections, keeps nobody else waiting',
  async (path, requests) => {
    const service = await startService({ INFERENCE_THREADS: '1' });
    await health(service.address);
    const waitsMs: number[] = [];
    const over = new AbortController();
    const other = (async () => {
      while (!over.signal.aborted) {
        const begun = performance.now();
        expect((await health(service.address)).code).toBe(200);
        waitsMs.push(performance.now() - begun);
      }
    })();
    for (let round = 0; round < sized({ short: 2, long: 20 }); round += 1) {
      const sockets = await sendAhead(service, 400, requests, path);
      await Promise.all(sockets.map(answeredOrClosed));
      for (const socket of sockets) socket.destroy();
    }
    over.abort();
    await other;
    const longestMs = Math.max(...waitsMs);
    console.info(
      `${path} × ${requests}: the longest of ${waitsMs.length} other answers took ${longestMs.toFixed(0)} ms`,
    );
    expect(longestMs).toBeLessThan(MOST_WAIT_MS);
  },
  TIME_LIMIT_MS,
);
