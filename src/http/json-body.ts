/** Parses JSON bodies: strictly UTF-8 (RFC 8259, section 8.1), and with no way to reach an object's prototype. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';

const EMPTY_BODY = 'The body is empty; send a JSON object with a member "content".';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function acceptJsonOnly(app: FastifyInstance): void {
  // "remove": a member named __proto__ is dropped like any unknown member, instead of failing the request.
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    let text: string;
    try {
      text = utf8.decode(body);
    } catch {
      done(new ServiceError('malformed_json', 'The body is not valid UTF-8.'));
      return;
    }
    // The parser's own error quotes the body, so it is replaced.
    void parse(request, text, (error, value: unknown) => {
      if (error === null) done(null, value);
      else if (text.trim() === '') done(new ServiceError('malformed_json', EMPTY_BODY));
      else done(new ServiceError('malformed_json', 'The body is not valid JSON.'));
    });
  });
}

/** A `preValidation` hook. Without Content-Type and Content-Length Fastify asks no parser, and validates `null`. */
export function requireBody(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  done(request.body === undefined ? new ServiceError('malformed_json', EMPTY_BODY) : undefined);
}
