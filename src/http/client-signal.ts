/** Tells that a client has gone before its answer, so that nobody works for it any more. */
import type { FastifyReply } from 'fastify';

/** Not registered, but the status under which logs and metrics know a client that has gone, since nginx. Nobody receives it. */
export const CLIENT_CLOSED_REQUEST = 499;

export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/**
 * A signal that aborts, with a ClientGoneError, when the connection closes before the answer is sent.
 *
 * Not Fastify's `request.signal`: it listens for the request's own `close`, which Node emits as soon as the body is read, so that
 * the signal is aborted before the handler begins (https://github.com/fastify/fastify/pull/6725).
 */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) gone.abort(new ClientGoneError('the connection was closed before the answer'));
  });
  return gone.signal;
}
