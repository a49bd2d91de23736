/** Parses JSON bodies: strictly UTF-8 (RFC 8259, section 8.1), with each member once, and with no way to reach an object's prototype. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import { decodeNames, encodeEscapedNames } from './escaped-names.js';
import { hasRepeatedMember } from './repeated-members.js';

const EMPTY_BODY = 'The body is empty; send a JSON object with a member "content".';

const TWICE = 'has two members of one name in an object: send each once';

/** UTF-8 under the names that senders give it, and a part of it. */
const CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii']);
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/gi;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function acceptJsonOnly(app: FastifyInstance): void {
  // "remove": a member named __proto__ is dropped like any unknown member, instead of failing the request.
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  // Before the body is read.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const refusal = refusalOfCoding(request);
    // RFC 9110, section 15.5.16
    if (refusal !== undefined) void reply.header('accept-encoding', 'identity');
    done(refusal);
  });
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    let text: string;
    try {
      text = utf8.decode(body);
    } catch {
      done(new ServiceError('malformed_json', 'The body is not valid UTF-8.'));
      return;
    }
    const encoded = encodeEscapedNames(text);
    // The parser's own error quotes the body, so it is replaced.
    void parse(request, encoded, (error, value: unknown) => {
      if (error !== null) {
        done(new ServiceError('malformed_json', text.trim() === '' ? EMPTY_BODY : 'The body is not valid JSON.'));
      } else if (hasRepeatedMember(encoded, value)) {
        done(repeatedMember());
      } else {
        if (encoded !== text) decodeNames(value);
        done(null, value);
      }
    });
  });
}

function repeatedMember(): ServiceError {
  return new ServiceError('invalid_body', `The body ${TWICE}.`, { errors: [{ path: '', message: TWICE }] });
}

function refusalOfCoding({ headers }: FastifyRequest): ServiceError | undefined {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.trim().toLowerCase() !== 'identity') {
    return new ServiceError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
  }
  const charsets = [...(headers['content-type'] ?? '').matchAll(CHARSET)];
  return charsets.every(([, charset = '']) => CHARSETS.has(charset.toLowerCase()))
    ? undefined
    : new ServiceError('unsupported_media_type', 'Send the body as application/json in UTF-8.');
}

/** A `preValidation` hook. Without Content-Type and Content-Length Fastify asks no parser, and validates `null`. */
export function requireBody(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  done(request.body === undefined ? new ServiceError('malformed_json', EMPTY_BODY) : undefined);
}
