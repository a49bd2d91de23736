/** Knows on which connections a request is being answered: at a stop the others end, since Node's own time limits no longer count then. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface OpenConnections {
  /**
   * Ends connections on which nothing has arrived, at once, and after `graceMs` all on which no whole request is being answered. `close`
   * of the server would wait for them for ever: https://github.com/nodejs/node/issues/63452
   */
  endUnfinished(graceMs: number): void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export function watchConnections(server: Server): OpenConnections {
  /** The latest exchange of each connection. */
  const open = new Map<Socket, Exchange | undefined>();
  server.on('connection', (socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request, response) => {
    if (open.has(request.socket)) open.set(request.socket, { request, response });
  });
  return {
    endUnfinished(graceMs) {
      for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy();
      setTimeout(() => {
        for (const [socket, exchange] of open) if (!isBeingAnswered(exchange)) socket.destroy();
      }, graceMs).unref();
    },
  };
}

function isBeingAnswered(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && exchange.request.complete && !exchange.response.writableFinished;
}
