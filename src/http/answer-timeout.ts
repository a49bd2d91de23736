/** Ends the wait of a caller whose request takes too long. What works for it is not stopped here. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';

const RETRY_AFTER_SECONDS = 5;

/**
 * Not Fastify's own `handlerTimeout`: that of 5.12 ends its timer with the event `close` of the request, which Node sends as soon as
 * the body is read.
 */
export function registerAnswerTimeout(app: FastifyInstance, timeoutMs: number): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  app.addHook('onRequest', (request, reply, done) => {
    const giveUp = (): void => {
      if (reply.sent || reply.raw.headersSent) return;
      void reply.send(
        new ServiceError('answer_timeout', 'The verdict took too long and was given up. Try again.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        }),
      );
    };
    timers.set(request, setTimeout(giveUp, timeoutMs).unref());
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    clearTimeout(timers.get(request));
    done();
  });
}
