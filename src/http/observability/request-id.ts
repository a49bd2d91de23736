/** The id that a request has in its answer and in the log: the caller's own, or one made up. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a caller may choose as a request id: short, safe to print in a log, and not a key in the wrong header. */
const REQUEST_ID = /^(?!.*sk_(?:live|test)_)[\w.:-]{1,128}$/;

const madeUp = new WeakMap<IncomingMessage, string>();

/** The same for a request however often it is asked. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
  const id = madeUp.get(request) ?? randomUUID();
  madeUp.set(request, id);
  return id;
}
