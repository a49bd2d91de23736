/** What every request to the admin API must pass: our own page as its origin, and a session. An API key is of no use here. */
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { AdminContext } from '../routes/admin-context.js';
import { sessionIdOf } from './session-cookie.js';
import { isCsrfToken, type Session } from './sessions.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is known to come from a signed-in operator. */
    adminSession: Session | null;
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Refuses what a page of another site sends. Programs without these headers are no browsers, and carry nobody's cookie. */
export const refuseForeignOrigin: Hook = (request, _reply, done) => {
  if (SAFE_METHODS.has(request.method) || isOwnOrigin(request)) done();
  else done(new ServiceError('foreign_origin', 'The request does not come from a page of this service.'));
};

function isOwnOrigin({ headers, host }: FastifyRequest): boolean {
  // Browsers set it themselves and no script can change it (W3C Fetch Metadata); they leave it out on plain HTTP, but for localhost.
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === host.toLowerCase();
}

/** What follows sees all that was changed before the request. */
export function requireSession({
  sessions,
  store,
  askingKeys,
}: Pick<AdminContext, 'sessions' | 'store' | 'askingKeys'>): onRequestAsyncHookHandler {
  return async (request) => {
    const id = sessionIdOf(request);
    const session =
      id === undefined ? undefined : await askingKeys(async () => (await store.refresh(), sessions.use(id)));
    if (session === undefined) {
      throw new ServiceError('sign_in_required', 'Sign in: there is no session, or it has ended.');
    }
    const presented = request.headers['x-csrf-token'];
    if (!SAFE_METHODS.has(request.method) && (typeof presented !== 'string' || !isCsrfToken(presented, session))) {
      throw new ServiceError('foreign_origin', 'The header X-CSRF-Token is missing or is not that of the session.');
    }
    request.adminSession = session;
  };
}
