/** Signing in and out, and asking whether one is signed in. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { type AdminContext, changing, open, reading, may } from './admin-context.js';
import { sessionResponse, signInBody, type SessionResponse } from './admin-schemas.js';
import type { Actor } from '../../people/roles.js';
import {
  BROWSER_KNOWN_MS,
  browserTokenOf,
  clearSessionCookie,
  sessionIdOf,
  setBrowserCookie,
  setSessionCookie,
} from '../session/session-cookie.js';
import type { SignedIn } from '../session/guard.js';
import type { SignInWay, StartedSession } from '../session/sessions.js';
import { accountIn } from '../session/sign-in.js';
import { problems } from '../../http/routes/schemas.js';

/** For those who are not signed in. */
export function registerSignInRoute(app: FastifyInstance, context: AdminContext): void {
  const { signIn, knownBrowsers } = context;

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
      const { name, password, pass } = request.body;
      const account = accountIn(name);
      const knownBrowser =
        knownBrowsers.nameIn(pass, account) ?? knownBrowsers.nameIn(browserTokenOf(request), account);
      const actor = await signIn.check({ account, password, address: request.ip, knownBrowser });
      return startSession(context, actor, request, reply);
    },
  );
}

/** For whoever has shown who they are, by a password unless it is said: the cookies, the entry of the audit log, and what the page is told. */
export async function startSession(
  { sessions, knownBrowsers, askingRecords, audit }: AdminContext,
  actor: Actor,
  request: FastifyRequest,
  reply: FastifyReply,
  way?: SignInWay,
): Promise<SessionResponse> {
  // A new id each time, so that one that somebody planted is worth nothing.
  const before = sessionIdOf(request);
  const session = await askingRecords(async () => {
    if (before !== undefined) await sessions.end(before);
    const started = await sessions.start(actor.id, {
      address: request.ip,
      agent: request.headers['user-agent'] ?? '',
      way,
    });
    await audit.append({ actor, action: 'session.start', details: { address: request.ip, ...(way && { way }) } });
    return started;
  });
  setSessionCookie(request, reply, session.id);
  setBrowserCookie(request, reply, knownBrowsers.issue(BROWSER_KNOWN_MS, accountIn(actor.name)));
  request.log.info('dashboard: signed in');
  return onTheWire({ ...session, actor });
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

function onTheWire(signedIn: SignedIn | (StartedSession & { readonly actor: Actor })): SessionResponse {
  const { name, role } = signedIn.actor;
  if (!('csrfToken' in signedIn)) return { csrfToken: null, expiresAt: null, name, role };
  return { csrfToken: signedIn.csrfToken, expiresAt: signedIn.expiresAt.toISOString(), name, role };
}
