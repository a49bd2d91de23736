/** What HTTP asks of every request before anything else counts: a version that is spoken here, and one Host. Knows no route. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../errors.js';

const VERSIONS = new Set(['1.0', '1.1']);

/** A name, an IPv4 address or a bracketed IPv6 address, and a port (RFC 9110, section 7.2; RFC 3986, section 3.2.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** @returns why the request is not answered as it asks, where that is so (RFC 9112, sections 2.3 and 3.2) */
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
