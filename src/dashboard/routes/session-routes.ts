/** Signing in and out, and asking whether one is signed in. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { type AdminContext, changing, open, reading, may } from './admin-context.js';
import { sessionResponse, signInBody, type SessionResponse } from './admin-schemas.js';
import { OWNER } from '../../people/roles.js';
import {
  BROWSER_KNOWN_MS,
  browserTokenOf,
  clearSessionCookie,
  sessionIdOf,
  setBrowserCookie,
  setSessionCookie,
} from '../session/session-cookie.js';
import type { Session } from '../session/sessions.js';
import { problems } from '../../http/routes/schemas.js';

/** For those who are not signed in. */
export function registerSignInRoute(app: FastifyInstance, context: AdminContext): void {
  const { sessions, signIn, knownBrowsers, askingRecords, audit } = context;

  app.withTypeProvider<ZodTypeProvider>().post(
    '/session',
    {
      schema: {
        ...open('Sign in'),
        body: signInBody,
        response: { 200: sessionResponse, ...problems(400, 401, 403, 413, 415, 429, 503) },
      },
    },
    async (request, reply): Promise<SessionResponse> => {
      const { password, pass } = request.body;
      const knownBrowser = knownBrowsers.nameIn(pass) ?? knownBrowsers.nameIn(browserTokenOf(request));
      await signIn.check({ password, address: request.ip, knownBrowser });
      // A new id each time, so that one that somebody planted is worth nothing.
      const before = sessionIdOf(request);
      const session = await askingRecords(async () => {
        if (before !== undefined) await sessions.end(before);
        const started = await sessions.start(OWNER.id, {
          address: request.ip,
          agent: request.headers['user-agent'] ?? '',
        });
        await audit.append({ actor: OWNER, action: 'session.start' });
        return started;
      });
      setSessionCookie(request, reply, session.id);
      setBrowserCookie(request, reply, knownBrowsers.issue(BROWSER_KNOWN_MS));
      request.log.info('dashboard: signed in');
      return onTheWire({ ...session, actor: OWNER });
    },
  );
}

export function registerSessionRoutes(app: FastifyInstance, { sessions, askingRecords }: AdminContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/session',
    {
      config: may('viewer'),
      schema: { ...reading('Ask whether one is signed in'), response: { 200: sessionResponse, ...problems(401, 503) } },
    },
    (request, reply) => {
      if (request.adminSession !== null) void reply.send(onTheWire(request.adminSession));
    },
  );

  // Untyped: the types of the provider have no place for an answer without a body.
  app.delete(
    '/session',
    {
      config: may('viewer', 'session.end'),
      schema: { ...changing('Sign out'), response: problems(401, 403, 503) },
    },
    async (request, reply) => {
      const id = sessionIdOf(request);
      if (id !== undefined) await askingRecords(() => sessions.end(id));
      clearSessionCookie(request, reply);
      return reply.code(204).send();
    },
  );
}

export function onTheWire({ csrfToken, expiresAt, actor }: Session): SessionResponse {
  const { name, role } = actor;
  return { csrfToken, expiresAt: expiresAt.toISOString(), name, role };
}
