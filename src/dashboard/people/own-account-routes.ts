/** What everybody does with their own account over HTTP: see and end its sessions, change its password. */
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { problems } from '../../http/routes/schemas.js';
import { OWNER } from '../../people/roles.js';
import { type AdminContext, changing, may, reading } from '../routes/admin-context.js';
import { idParams, sessionResponse } from '../routes/admin-schemas.js';
import { startSession } from '../routes/session-routes.js';
import type { SignedIn } from '../session/guard.js';
import { noSuchSession, sessionOnTheWire } from './account-routes.js';
import { passwordBody, sessionListResponse } from './people-schemas.js';

export function registerOwnAccountRoutes(app: FastifyInstance, context: AdminContext): void {
  const { accounts, sessions, signIn, askingRecords } = context;
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/account/sessions',
    {
      config: may('viewer'),
      schema: {
        ...reading('List the sessions of one’s own account'),
        response: { 200: sessionListResponse, ...problems(401, 503) },
      },
    },
    ({ adminSession }) =>
      askingRecords(async () => ({
        sessions: (await sessions.list(idOf(adminSession))).map((each) => sessionOnTheWire(each, adminSession)),
      })),
  );

  app.delete<{ Params: { id: string } }>(
    '/account/sessions/:id',
    {
      config: may('viewer', 'session.end'),
      schema: {
        ...changing('End a session of one’s own account'),
        params: idParams,
        response: problems(401, 403, 404, 503),
      },
    },
    async ({ params, adminSession }, reply) => {
      if (!(await askingRecords(() => sessions.endListed(params.id, idOf(adminSession))))) throw noSuchSession();
      return reply.code(204).send();
    },
  );

  typed.put(
    '/account/password',
    {
      config: may('viewer', 'account.password'),
      schema: {
        ...changing('Change the password of one’s own account'),
        description: 'Ends all sessions of the account but this one, which gets another id and another token.',
        body: passwordBody,
        response: { 200: sessionResponse, ...problems(400, 401, 403, 409, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      const { current, password } = request.body;
      const id = idOf(request.adminSession);
      if (id === OWNER.id) {
        throw new ServiceError('conflict', 'This is the password of the service: npx parapet admin set-password.');
      }
      const account = await askingRecords(() => accounts.find({ id }));
      if (account?.passwordHash === undefined) {
        throw new ServiceError('conflict', 'There is no password to change: this is not how you sign in.');
      }
      // Counted as an attempt of a known browser: a session that somebody left open is no place to guess from.
      const actor = await signIn.check({
        account: account.name,
        password: current,
        address: request.ip,
        knownBrowser: `password of ${id}`,
      });
      const passwordHash = await signIn.hash(password);
      await askingRecords(() => accounts.change(id, { passwordHash }));
      request.audited = { subject: id };
      return startSession(context, actor, request, reply);
    },
  );
}

/** Never that of somebody else: a token has a name in place of an id, and no sessions. */
function idOf(signedIn: SignedIn | null): string {
  return signedIn?.actor.id ?? '';
}
