/** Answers connections whose bytes never became a request: broken HTTP, headers too large, too slow. */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../errors.js';
import { PROBLEM_TYPE, problemOf } from '../problem.js';
import { requestIdOf } from '../observability/request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';

export interface ClientErrorHandler {
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

export function createClientErrorHandler(): ClientErrorHandler {
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
