/** Signing in and out, and asking whether one is signed in. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { type AdminContext, changing, open, reading } from './admin-context.js';
import { sessionResponse, signInBody, type SessionResponse } from './admin-schemas.js';
import { requireSession } from '../session/guard.js';
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

export function registerSessionRoutes(app: FastifyInstance, context: AdminContext): void {
  const { sessions, signIn, knownBrowsers, askingKeys } = context;
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = requireSession(context);

  typed.post(
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
      const session = await askingKeys(async () => {
        if (before !== undefined) await sessions.end(before);
        return sessions.start();
      });
      setSessionCookie(request, reply, session.id);
      setBrowserCookie(request, reply, knownBrowsers.issue(BROWSER_KNOWN_MS));
      request.log.info('dashboard: signed in');
      return onTheWire(session);
    },
  );

  typed.get(
    '/session',
    {
      onRequest,
      schema: { ...reading('Ask whether one is signed in'), response: { 200: sessionResponse, ...problems(401, 503) } },
    },
    (request, reply) => {
      if (request.adminSession !== null) void reply.send(onTheWire(request.adminSession));
    },
  );

  // Untyped: the types of the provider have no place for an answer without a body.
  app.delete(
    '/session',
    { onRequest, schema: { ...changing('Sign out'), response: problems(401, 403, 503) } },
    async (request, reply) => {
      const id = sessionIdOf(request);
      if (id !== undefined) await askingKeys(() => sessions.end(id));
      clearSessionCookie(request, reply);
      return reply.code(204).send();
    },
  );
}

function onTheWire({ csrfToken, expiresAt }: Session): SessionResponse {
  return { csrfToken, expiresAt: expiresAt.toISOString() };
}
