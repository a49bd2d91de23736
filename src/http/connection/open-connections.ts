/**
 * What a stop must know of connections: whether anything still arrives, so that what is on its way is told instead of cut off, and on which of
 * them a request is being answered. The others end then, since Node's own time limits no longer count.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from './node-server.js';

/** Nothing arrived for this long: whatever was on its way when the stop came is here. */
const QUIET_MS = 100;
const CHECK_MS = 20;

export interface OpenConnections {
  /** Resolves once nothing has arrived for a moment, at once where that is so already, or after `longestMs`. */
  untilQuiet(longestMs: number): Promise<void>;
  /**
   * Ends connections on which nothing has arrived, at once, and after `graceMs` all on which no whole request is being answered. `close`
   * of the server would wait for them for ever: https://github.com/nodejs/node/issues/63452
   */
  endUnfinished(graceMs: number): void;
}

export function watchConnections(server: Server): OpenConnections {
  /** Of each connection, what is not answered yet: several where requests are pipelined. */
  const open = new Map<Socket, Set<Exchange>>();
  let latestMs = -Infinity;
  server.on('connection', (socket) => {
    latestMs = performance.now();
    open.set(socket, new Set());
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request, response) => {
    latestMs = performance.now();
    const exchanges = open.get(request.socket);
    const exchange = { request, response };
    exchanges?.add(exchange);
    response.once('close', () => exchanges?.delete(exchange));
  });
  return {
    async untilQuiet(longestMs) {
      const endMs = performance.now() + longestMs;
      for (;;) {
        // A busy event loop comes to its timers before it looks for what has arrived meanwhile: let it look.
        await setImmediate();
        const nowMs = performance.now();
        if (nowMs - latestMs >= QUIET_MS || nowMs >= endMs) return;
        await delay(CHECK_MS);
      }
    },

    endUnfinished(graceMs) {
      for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy();
      setTimeout(() => {
        for (const [socket, exchanges] of open) if (![...exchanges].some(isBeingAnswered)) socket.destroy();
      }, graceMs).unref();
    },
  };
}

function isBeingAnswered({ request, response }: Exchange): boolean {
  return request.complete && !response.writableFinished;
}
