/** Answers connections whose bytes never became a request: broken HTTP, headers too large, too slow. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { PROBLEM_TYPE, problemOf } from './problem.js';

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

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The other side is gone, or an answer is already on its way: nothing that we write would be read as ours.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const problem = problemOf(serviceErrorOf(error.code), randomUUID());
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${problem.requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
