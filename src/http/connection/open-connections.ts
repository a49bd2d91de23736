/** Knows on which connections a request is being answered: at a stop the others end, since Node's own time limits no longer count then. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from './client-errors.js';

export interface OpenConnections {
  /**
   * Ends connections on which nothing has arrived, at once, and after `graceMs` all on which no whole request is being answered. `close`
   * of the server would wait for them for ever: https://github.com/nodejs/node/issues/63452
   */
  endUnfinished(graceMs: number): void;
}

export function watchConnections(server: Server): OpenConnections {
  /** Of each connection, what is not answered yet: several where requests are pipelined. */
  const open = new Map<Socket, Set<Exchange>>();
  server.on('connection', (socket) => {
    open.set(socket, new Set());
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request, response) => {
    const exchanges = open.get(request.socket);
    const exchange = { request, response };
    exchanges?.add(exchange);
    response.once('close', () => exchanges?.delete(exchange));
  });
  return {
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
