/**
 * Answers the requests of a connection one after another: those that a client sends ahead (pipelining) wait, in bounded number, and work
 * for them begins only while the client is still there. Knows no route.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Behind the one that is being answered. Clients that pipeline send a few ahead; each may hold 16 KiB of headers. */
const MOST_WAITING = 32;

/**
 * Node itself hands out every request that it has read, whether or not an earlier one is answered, and before 24.16 tells a response that
 * waits for its turn nothing of a connection that closes (https://github.com/nodejs/node/pull/62534): what was begun for it would never
 * end. From 24.16 on only the bound on those that wait needs this file.
 */
export function oneAtATime(handle: Handle): Handle {
  /** Of each connection on which a request is being answered, those that wait. */
  const waiting = new WeakMap<Socket, (() => void)[]>();

  function begin(request: IncomingMessage, response: ServerResponse, followers: (() => void)[]): void {
    const { socket } = request;
    response.once('close', () => {
      const next = followers.shift();
      // Whoever asked to close, or has gone, gets no further answer.
      if (next === undefined || !socket.writable) waiting.delete(socket);
      // Not at once: other connections come first.
      else setImmediate(next);
    });
    handle(request, response);
  }

  return (request, response) => {
    const { socket } = request;
    const followers = waiting.get(socket);
    if (followers === undefined) {
      const own: (() => void)[] = [];
      waiting.set(socket, own);
      begin(request, response, own);
    } else if (followers.length < MOST_WAITING) {
      followers.push(() => {
        if (socket.destroyed) waiting.delete(socket);
        else begin(request, response, followers);
      });
    } else {
      // A server may close at any time; what was not answered may be sent again (RFC 9112, section 9.3.2).
      socket.destroy();
    }
  };
}
