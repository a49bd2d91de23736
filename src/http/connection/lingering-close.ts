/**
 * Closes a connection in stages where its last request is still arriving (RFC 9112, section 9.6). Closed at once, the system would answer
 * what is still on its way with a reset, and the client would lose the answer that it was sent, a 413 for instance.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What a client may go on sending before it reads its answer: more than any body that is refused by mistake. */
const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_MS = 10_000;
const CHECK_MS = 20;

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
    const [mostBytes, endMs] = [socket.bytesRead + MOST_BYTES, performance.now() + LONGEST_MS];
    // Not by its bytes as they come: to listen for them would take the socket from the parser, which has stopped it, and nobody would go on.
    const timer = setInterval(() => {
      if (socket.bytesRead > mostBytes || performance.now() > endMs) socket.destroy();
    }, CHECK_MS).unref();
    // Nobody wants its bytes, but it ends only when they are taken.
    request.once('end', closeAtOnce).resume();
    socket.once('close', () => clearInterval(timer));
    socket.end();
  };
}
