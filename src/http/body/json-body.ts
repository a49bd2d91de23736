/** Takes bodies of JSON: refuses other codings, reads small ones strictly and at once, and has large ones read on another thread. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'secure-json-parse';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { hasRepeatedMember, valuesWritten } from '../../json/repeated-members.js';
import { decodeNames, encodeEscapedNames } from '../../json/escaped-names.js';
import { noteValid } from './validation.js';

/**
 * Up to this size a body is read where it arrives, a text of 10,000 characters for one. Of larger ones some take a tenth of a second and
 * more, and for that time nobody else would be answered.
 */
export const MOST_BYTES_AT_ONCE = 64 * 1024;

/**
 * Reads a body on another thread.
 *
 * @param bytes are of no use any more afterwards
 * @param route method and path, as in `POST /v1/analyze`
 * @returns what the schema of the route makes of it; undefined where it is not known to take a body
 * @throws ServiceError
 */
export type ReadBody = (bytes: Uint8Array<ArrayBuffer>, route: string) => Promise<object | undefined>;

/** UTF-8 under the names that senders give it, and a part of it. */
const CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii']);
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/gi;

/** Register it before the routes: those whose schema has a body answer `malformed_json` to requests without one. */
export function acceptJsonOnly(app: FastifyInstance, readBody: ReadBody): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRoute', (route) => {
    const body = route.schema?.body;
    if (body === undefined) return;
    // Without Content-Type and Content-Length Fastify asks no parser, and validates `null`.
    route.preValidation = (request, _reply, done: (error?: Error) => void) =>
      done(request.body === undefined ? emptyBody(body) : undefined);
  });
  // Before the body is read.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const refusal = refusalOfCoding(request);
    // RFC 9110, section 15.5.16
    if (refusal !== undefined) void reply.header('accept-encoding', 'identity');
    done(refusal);
  });
  app.addContentTypeParser<Buffer<ArrayBuffer>>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { method, routeOptions } = request;
    if (body.length > MOST_BYTES_AT_ONCE) {
      readBody(body, `${method} ${routeOptions.url ?? ''}`).then(
        (value) => done(null, value && noteValid(value)),
        done,
      );
      return;
    }
    let value: unknown;
    try {
      value = readJson(body, routeOptions.schema?.body);
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, value);
  });
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

/** @param schema names what is missed in an empty object */
function emptyBody(schema: unknown): ServiceError {
  const issues = schema instanceof z.ZodType ? schema.safeParse({}).error?.issues : undefined;
  const missed = issues?.flatMap(({ path: [member] }) => (member === undefined ? [] : [`"${String(member)}"`]));
  const members = missed === undefined || missed.length === 0 ? '' : ` with ${missed.join(', ')}`;
  return new ServiceError('malformed_json', `The body is empty; send a JSON object${members}.`);
}

const TWICE = 'has two members of one name in an object: send each once';

/** More than a batch can have whose items are all valid. Beyond it a body would take much time and memory for its size. */
const MOST_VALUES = 1_200_000;
const TOO_MANY = `has more than ${MOST_VALUES} values`;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Strictly UTF-8 (RFC 8259, section 8.1), with each member once, and with no way to reach an object's prototype.
 *
 * @param schema of what it should be; nothing is read against it
 * @throws ServiceError `malformed_json` or `invalid_body`
 */
export function readJson(bytes: Uint8Array, schema: unknown): unknown {
  const text = decoded(bytes);
  if (text.trim() === '') throw emptyBody(schema);
  const encoded = encodeEscapedNames(text);
  if (encoded.length > MOST_VALUES && valuesWritten(encoded) > MOST_VALUES) throw refusal(TOO_MANY);
  const value = parsed(encoded);
  if (hasRepeatedMember(encoded, value)) throw refusal(TWICE);
  if (encoded !== text) decodeNames(value);
  return value;
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ServiceError('malformed_json', 'The body is not valid UTF-8.');
  }
}

function parsed(text: string): unknown {
  try {
    // "remove": a member named __proto__ is dropped like any unknown member, instead of failing the request.
    return parse(text, { protoAction: 'remove', constructorAction: 'remove' });
  } catch {
    // The parser's own error quotes the body.
    throw new ServiceError('malformed_json', 'The body is not valid JSON.');
  }
}

function refusal(message: string): ServiceError {
  return new ServiceError('invalid_body', `The body ${message}.`, { errors: [{ path: '', message }] });
}
