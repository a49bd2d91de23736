/**
 * Closes a connection in stages where its last request is still arriving (RFC 9112, section 9.6). Closed at once, the system would answer
 * what is still on its way with a reset, and the client would lose the answer that it was sent, a 413 for instance.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What a client may go on sending before it reads its answer: more than any body that is refused by mistake. */
const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_MS = 10_000;

/** @param latestRequest the last one that arrived on the connection */
export function lingerOnClose(socket: Socket, latestRequest: () => IncomingMessage | undefined): void {
  const closeAtOnce = socket.destroySoon.bind(socket);
  // Node calls it once an answer with "Connection: close" is written.
  socket.destroySoon = () => {
    const request = latestRequest();
    if (request === undefined || request.complete || socket.destroyed) {
      closeAtOnce();
      return;
    }
    const destroy = (): void => void socket.destroy();
    const timer = setTimeout(destroy, LONGEST_MS).unref();
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) destroy();
    });
    // Nobody wants its bytes, but it ends only when they are taken.
    request.once('end', closeAtOnce).resume();
    socket.once('close', () => clearTimeout(timer));
    socket.end();
  };
}
