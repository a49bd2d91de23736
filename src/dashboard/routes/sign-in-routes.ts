/** Signing in otherwise than with a password: which ways there are, to a provider of OpenID Connect and back, and by the header of a proxy. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { clientOf, createRateLimiter } from '../../http/auth/rate-limit.js';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { problems } from '../../http/routes/schemas.js';
import { admit, codesOf, SignInRefused, type Arrival } from '../session/arrivals.js';
import { attemptOf, setAttemptCookie } from '../session/session-cookie.js';
import type { SignInWay } from '../session/sessions.js';
import { type AdminContext, open } from './admin-context.js';
import { sessionResponse, type SessionResponse } from './admin-schemas.js';
import { startSession } from './session-routes.js';
import { callbackQuery, signInWaysResponse, startQuery, type SignInWays } from './sign-in-schemas.js';

/** Of those who come back from the provider, from one address: each may cost questions to the provider. */
const EACH_PER_MINUTE = 30;

const ANY_PASSWORD = 'select id from parapet.account where password_hash is not null and disabled_at is null limit 1';

const PAGE = '/dashboard';
const START = '/oidc/start';

/** For those who are not signed in. Some are there only where a setting turns them on. */
export function registerSignInWays(app: FastifyInstance, context: AdminContext): void {
  const { askingRecords, attempts, hasPassword, oidc, proxyHeader, signInSettings, store } = context;
  const typed = app.withTypeProvider<ZodTypeProvider>();

  async function enter(request: FastifyRequest, reply: FastifyReply, arrival: Arrival, way: SignInWay) {
    const { id, name, role } = await askingRecords(() => admit(context, arrival, way));
    return startSession(context, { id, name, role }, request, reply, way);
  }

  typed.get(
    '/sign-in-ways',
    { schema: { ...open('Ask how one can sign in'), response: { 200: signInWaysResponse, ...problems(503) } } },
    async (request): Promise<SignInWays> => ({
      password: hasPassword || (await askingRecords(() => store.sql.read(ANY_PASSWORD))).length > 0,
      oidc: signInSettings.oidc
        ? { name: signInSettings.oidc.name, address: `${signInSettings.publicUrl ?? ''}${PAGE}/api${START}` }
        : null,
      header: proxyHeader?.nameIn(request) ?? null,
      signOutUrl: signInSettings.signOutUrl ?? null,
    }),
  );

  if (signInSettings.header !== undefined && proxyHeader !== undefined) {
    const { defaultRole } = signInSettings.header;
    typed.post(
      '/session/header',
      {
        schema: { ...open('Sign in as the proxy says'), response: { 200: sessionResponse, ...problems(403, 503) } },
      },
      async (request, reply): Promise<SessionResponse> => {
        const name = proxyHeader.nameIn(request);
        if (name === undefined) throw refused(request, new SignInRefused('unnamed'));
        return enter(request, reply, { name, newcomerRole: defaultRole }, 'header').catch((error: unknown) => {
          throw refused(request, error);
        });
      },
    );
  }

  if (oidc === undefined) return;
  const limiter = createRateLimiter(attempts);
  const response = { 303: z.void(), ...problems(403, 429, 503) };
  const start = {
    ...open('Go to the provider of OpenID Connect'),
    description:
      'For a browser: where something is wrong it is sent back to the page, and other clients get the problem.',
    querystring: startQuery,
    response,
  };
  typed.get(START, { schema: start }, (request, reply) =>
    orBackToPage(request, reply, async () => {
      const { address, kept } = await oidc.begin(request.query.to);
      setAttemptCookie(request, reply, kept);
      return address;
    }),
  );
  const callback = { ...open('Come back from the provider'), querystring: callbackQuery, response };
  typed.get('/oidc/callback', { schema: callback }, (request, reply) =>
    orBackToPage(request, reply, async () => {
      setAttemptCookie(request, reply, undefined);
      const allowed = (await limiter.take(`oidc:${clientOf(request.ip)}`, EACH_PER_MINUTE))?.allowed;
      if (allowed === false) throw new SignInRefused('often');
      const { arrival, returnTo } = await oidc.finish(
        request.url.slice(request.url.indexOf('?') + 1),
        attemptOf(request),
      );
      await enter(request, reply, arrival, 'oidc');
      return returnTo;
    }),
  );
}

/** Browsers that open an address are led to the page, which says what went wrong; programs get the problem itself. */
async function orBackToPage(request: FastifyRequest, reply: FastifyReply, next: () => Promise<string>): Promise<void> {
  const address = await next().catch((error: unknown) => {
    const refusal = refused(request, error);
    if (!(refusal instanceof ServiceError) || request.headers.accept?.includes('text/html') !== true) throw refusal;
    return `${PAGE}#refused=${refusal instanceof SignInRefused ? refusal.reason : 'failed'}`;
  });
  await reply.redirect(address, 303);
}

function refused(request: FastifyRequest, error: unknown): unknown {
  if (error instanceof SignInRefused) {
    request.log.warn({ reason: error.reason, codes: codesOf(error) }, 'dashboard: not signed in');
  }
  return error;
}
