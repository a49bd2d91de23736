/** The Node server below Fastify: its time limits, and answers of our own where Node would answer without us. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createClientErrorHandler } from './client-errors.js';
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
    // Node's own refusal has no body; ours is in http-server.ts.
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
