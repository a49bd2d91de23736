/** The Node server below Fastify: its time limits, what it asks of every request, and answers of our own where Node would answer without us. */
import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../../errors.js';
import { PROBLEM_TYPE, problemOf } from '../problem.js';
import { lingerOnClose } from './lingering-close.js';
import { oneAtATime } from './pipelined-requests.js';

/** Longer than the 60 s that load balancers keep idle connections, so that it is they who close. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Headers are small: they may take this fraction of the time that a whole request may take. */
const HEADERS_SHARE = 3;

export function createNodeServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  requestTimeoutMs: number,
): Server {
  const clientErrors = createClientErrorHandler();
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    headersTimeout: Math.ceil(requestTimeoutMs / HEADERS_SHARE),
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / 10,
    // Node's own refusal has no body; ours is that of `protocolProblem`.
    requireHostHeader: false,
  });
  const answer = oneAtATime(handle);
  server.on('connection', (socket) => lingerOnClose(socket, () => clientErrors.latest(socket)?.request));
  server.on('request', (request, response) => {
    clientErrors.remember(request, response);
    answer(request, response);
  });
  // Without a listener Node answers 417 with no body. An expectation that we do not know may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error, socket) => clientErrors.answer(error, socket));
  return server;
}

const VERSIONS = new Set(['1.0', '1.1']);

/** A name, an IPv4 address or a bracketed IPv6 address, and a port (RFC 9110, section 7.2; RFC 3986, section 3.2.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * What HTTP asks of every request before anything else counts: a version that is spoken here, and one Host.
 *
 * @returns why the request is not answered as it asks, where that is so (RFC 9112, sections 2.3 and 3.2)
 */
export function protocolProblem({ httpVersion, headers, rawHeaders }: IncomingMessage): ServiceError | undefined {
  if (!VERSIONS.has(httpVersion)) return new ServiceError('bad_request', 'Speak HTTP/1.1: no other version is known.');
  // Node keeps the first of several.
  const { host } = headers;
  if (host === undefined) {
    return httpVersion === '1.1' ? new ServiceError('bad_request', 'The request has no Host header.') : undefined;
  }
  if (countOf('host', rawHeaders) > 1) return new ServiceError('bad_request', 'The request has two Host headers.');
  return HOST.test(host) ? undefined : new ServiceError('bad_request', 'The Host header is not a name and a port.');
}

/** @param rawHeaders names and values in turn */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index];
    if (each?.length === name.length && each.toLowerCase() === name) count += 1;
  }
  return count;
}

/** What a caller may choose as a request id: short, safe to print in a log, and not a key in the wrong header. */
const REQUEST_ID = /^(?!.*sk_(?:live|test)_)[\w.:-]{1,128}$/;

const madeUp = new WeakMap<IncomingMessage, string>();

/** The id of a request in its answer and in the log, the caller's own or one made up: the same however often it is asked. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
  const id = madeUp.get(request) ?? randomUUID();
  madeUp.set(request, id);
  return id;
}

/**
 * What every answer tells browsers, whatever it is: run nothing, frame nothing, keep nothing. No Strict-Transport-Security: it must not be sent without TLS (RFC 6797, section 7.2), which a proxy in front ends and therefore
 * announces.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Answers connections whose bytes never became a request: broken HTTP, headers too large, too slow. */
interface ClientErrorHandler {
  /** Call it with each request as it begins. */
  remember(request: IncomingMessage, response: ServerResponse): void;
  /** The last request that began on a connection. */
  latest(socket: Duplex): Exchange | undefined;
  /** For the event `clientError` of the server. */
  answer(error: Error & { code?: string }, socket: Duplex): void;
}

/** For the answer to arrive before the connection is gone. */
const FAREWELL_MS = 1_000;

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

function createClientErrorHandler(): ClientErrorHandler {
  const latest = new WeakMap<Duplex, Exchange>();
  return {
    remember(request, response) {
      latest.set(request.socket, { request, response });
    },
    latest: (socket) => latest.get(socket),
    answer(error, socket) {
      const exchange = latest.get(socket);
      if (error.code === 'ECONNRESET' || !socket.writable || wouldBeMistaken(exchange)) {
        socket.destroy();
        return;
      }
      socket.end(problemMessage(serviceErrorOf(error.code), idOfBroken(exchange)));
      // Half closed only: Node no longer looks at its time limits, and the other side may never close its half.
      setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
    },
  };
}

/**
 * Whether the other side would take what we write for the answer to an earlier request, or for part of it: one that it has sent
 * whole is still being answered, or the answer to the broken one has begun, or waits for its turn.
 */
function wouldBeMistaken(exchange: Exchange | undefined): boolean {
  if (exchange === undefined) return false;
  const { request, response } = exchange;
  return request.complete ? !response.writableFinished : response.headersSent || response.socket === null;
}

/** Of the request whose body broke off; one that came whole is an earlier one. */
function idOfBroken(exchange: Exchange | undefined): string {
  return exchange === undefined || exchange.request.complete ? randomUUID() : requestIdOf(exchange.request);
}

/** Codes of Node's HTTP parser and its timers: https://nodejs.org/api/http.html#event-clienterror */
function serviceErrorOf(code: string | undefined): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large', 'Send fewer or shorter headers: 16 KiB in all.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout', 'The request did not arrive whole in time. Send it again.');
    default:
      return new ServiceError('bad_request', 'The request is not valid HTTP/1.1.');
  }
}

function problemMessage(error: ServiceError, requestId: string): string {
  const problem = problemOf(error, requestId);
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${problem.requestId}`,
    ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
