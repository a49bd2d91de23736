/** What every request to the admin API must pass: our own page as its origin, a session, and the role that the route asks for. An API key is of no use here. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { messageOf, ServiceError } from '../../errors.js';
import type { AuditEvent } from '../../people/audit-log.js';
import { isAtLeast, type Actor, type Role } from '../../people/roles.js';
import { isMeantAs } from '../../people/secrets.js';
import type { AdminContext } from '../routes/admin-context.js';
import { sessionIdOf } from './session-cookie.js';
import { isCsrfToken, type Session } from './sessions.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is known to come from somebody who is signed in. */
    adminSession: SignedIn | null;
    /** What the audit log says beside who did what: by default the id in the address. */
    audited: { readonly subject?: string; readonly details?: AuditEvent['details'] } | null;
  }
  interface FastifyContextConfig {
    /** See `may` in admin-context.ts. */
    least?: Role;
    audit?: string | undefined;
  }
}

/** By a session, or by a token: that is in no list of sessions, and has no need of what guards cookies. */
export type SignedIn = Session | { readonly actor: Actor; readonly listedAs?: undefined };

/** For who made what. */
export const nameOf = (signedIn: SignedIn | null): string => signedIn?.actor.name ?? '';

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

/** What follows sees all that was changed before the request. A session that a proxy began lasts as long as the proxy names the same person. */
export function requireSession({
  sessions,
  tokens,
  store,
  askingKeys,
  askingRecords,
  proxyHeader,
}: Pick<
  AdminContext,
  'sessions' | 'tokens' | 'store' | 'askingKeys' | 'askingRecords' | 'proxyHeader'
>): onRequestAsyncHookHandler {
  async function byToken(token: string): Promise<SignedIn> {
    const actor = await askingRecords(() => tokens.use(token));
    if (actor !== undefined) return { actor };
    throw new ServiceError('sign_in_required', 'The token is not one of the admin API, or has expired or was revoked.');
  }

  async function bySession(request: FastifyRequest): Promise<SignedIn> {
    const id = sessionIdOf(request);
    const session = id === undefined ? undefined : await askingRecords(() => sessions.use(id));
    if (session === undefined || (session.way === 'header' && proxyHeader?.nameIn(request) !== session.actor.name)) {
      throw new ServiceError('sign_in_required', 'Sign in: there is no session, or it has ended.');
    }
    const presented = request.headers['x-csrf-token'];
    if (!SAFE_METHODS.has(request.method) && (typeof presented !== 'string' || !isCsrfToken(presented, session))) {
      throw new ServiceError('foreign_origin', 'The header X-CSRF-Token is missing or is not that of the session.');
    }
    return session;
  }

  return async (request) => {
    await askingKeys(() => store.refresh());
    // Of another kind it may be that of a proxy in front.
    const [, bearer = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    request.adminSession = await (isMeantAs('token', bearer) ? byToken(bearer) : bySession(request));
    const { least = 'owner' } = request.routeOptions.config;
    const { role } = request.adminSession.actor;
    if (!isAtLeast(role, least)) {
      throw new ServiceError('role_too_low', `This is for the role ${least} and above, and yours is ${role}.`);
    }
  };
}

/** A route that does not say who may use it must not come into being. */
export function refuseUndeclared({
  url,
  config,
}: {
  readonly url: string;
  readonly config?: FastifyContextConfig;
}): void {
  if (config?.least === undefined) throw new Error(`${url} does not say which role it needs.`);
}

/** Writes what was done to the audit log before it is answered. */
export function auditing({ audit, onProblem }: Pick<AdminContext, 'audit' | 'onProblem'>) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const { audit: action } = request.routeOptions.config;
    if (action === undefined || request.adminSession === null || reply.statusCode >= 400) return payload;
    const { subject = (request.params as { id?: string }).id, details } = request.audited ?? {};
    await audit
      .append({ actor: request.adminSession.actor, action, subject, details })
      .catch((error: unknown) => onProblem(`The audit log lacks ${action}: ${messageOf(error)}`));
    return payload;
  };
}
