/** Tells when nobody needs an answer any more, or not in time: then nobody should work for it either. */
import { setMaxListeners } from 'node:events';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../errors.js';

/** Not registered, but the status under which logs and metrics know a client that has gone, since nginx. Nobody receives it. */
export const CLIENT_CLOSED_REQUEST = 499;

export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

const RETRY_AFTER_SECONDS = 5;

/**
 * A signal that aborts when the connection closes before the answer is sent, with a ClientGoneError, or when the answer takes longer
 * than `timeoutMs`, with `answer_timeout`.
 *
 * Not Fastify's `request.signal` and `handlerTimeout`: they listen for the request's own `close`, which Node emits as soon as the body
 * is read, so that the signal is aborted before the handler begins (https://github.com/fastify/fastify/pull/6725).
 */
export function giveUpSignal(reply: FastifyReply, timeoutMs: number): AbortSignal {
  const controller = new AbortController();
  // Every text of a batch listens.
  setMaxListeners(0, controller.signal);
  const timer = setTimeout(() => {
    controller.abort(
      new ServiceError('answer_timeout', 'The verdict took too long and was given up. Try again.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
    );
  }, timeoutMs);
  reply.raw.once('close', () => {
    clearTimeout(timer);
    if (!reply.raw.writableEnded) {
      controller.abort(new ClientGoneError('the connection was closed before the answer'));
    }
  });
  return controller.signal;
}
