/** Accounts and sessions of everybody, over HTTP: for owners. */
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { problems } from '../../http/routes/schemas.js';
import type { Account } from '../../people/accounts.js';
import { type AdminContext, changing, may, reading } from '../routes/admin-context.js';
import { idParams } from '../routes/admin-schemas.js';
import { nameOf, type SignedIn } from '../session/guard.js';
import type { ListedSession } from '../session/sessions.js';
import { createdInvitationOf } from './invitation-routes.js';
import {
  accountBody,
  accountListResponse,
  accountSchema,
  createdInvitationResponse,
  sessionListResponse,
  type AccountOnTheWire,
  type SessionOnTheWire,
} from './people-schemas.js';

export function registerAccountRoutes(app: FastifyInstance, context: AdminContext): void {
  const { accounts, invitations, sessions, askingRecords } = context;
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/accounts',
    {
      config: may('owner'),
      schema: { ...reading('List accounts'), response: { 200: accountListResponse, ...problems(401, 403, 503) } },
    },
    () => askingRecords(async () => ({ accounts: (await accounts.list()).map(onTheWire) })),
  );

  typed.patch(
    '/accounts/:id',
    {
      config: may('owner', 'account.change'),
      schema: {
        ...changing('Change the role of an account, disable or enable it'),
        description:
          'A role counts from the next request on. Disabling ends all sessions of the account. The password of the service is no account: it always remains.',
        params: idParams,
        body: accountBody,
        response: { 200: accountSchema, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async (request) => {
      const { params, body } = request;
      const { role, disabled } = body;
      request.audited = {
        details: { ...(role !== undefined && { role }), ...(disabled !== undefined && { disabled }) },
      };
      return onTheWire(await askingRecords(() => accounts.change(params.id, body)));
    },
  );

  typed.post(
    '/accounts/:id/reset-password',
    {
      config: may('owner', 'account.reset_password'),
      schema: {
        ...changing('Make a link with which an account sets a new password'),
        description: 'It holds for a day and once. The present password goes on until then.',
        params: idParams,
        response: { 201: createdInvitationResponse, ...problems(401, 403, 404, 409, 503) },
      },
    },
    async ({ params, adminSession }, reply) => {
      const created = await askingRecords(() => invitations.resetPassword(params.id, nameOf(adminSession)));
      return reply.code(201).send(createdInvitationOf(created));
    },
  );

  app.delete<{ Params: { id: string } }>(
    '/accounts/:id/sessions',
    {
      config: may('owner', 'account.end_sessions'),
      schema: {
        ...changing('End all sessions of an account'),
        description: '`owner` is the password of the service.',
        params: idParams,
        response: problems(401, 403, 503),
      },
    },
    async ({ params }, reply) => {
      await askingRecords(() => sessions.endAllOf(params.id));
      return reply.code(204).send();
    },
  );

  typed.get(
    '/sessions',
    {
      config: may('owner'),
      schema: {
        ...reading('List who is signed in'),
        response: { 200: sessionListResponse, ...problems(401, 403, 503) },
      },
    },
    ({ adminSession }) =>
      askingRecords(async () => ({
        sessions: (await sessions.list()).map((each) => sessionOnTheWire(each, adminSession)),
      })),
  );

  app.delete<{ Params: { id: string } }>(
    '/sessions/:id',
    {
      config: may('owner', 'session.end'),
      schema: { ...changing('End a session'), params: idParams, response: problems(401, 403, 404, 503) },
    },
    async ({ params }, reply) => {
      if (!(await askingRecords(() => sessions.endListed(params.id)))) throw noSuchSession();
      return reply.code(204).send();
    },
  );
}

export function noSuchSession(): ServiceError {
  return new ServiceError('not_found', 'There is no such session, or it has ended.');
}

function onTheWire({ id, name, role, passwordHash, subject, ...account }: Account): AccountOnTheWire {
  return {
    id,
    name,
    role,
    hasPassword: passwordHash !== undefined,
    signsInElsewhere: subject !== undefined,
    createdAt: account.createdAt.toISOString(),
    createdBy: account.createdBy,
    disabledAt: account.disabledAt?.toISOString() ?? null,
  };
}

export function sessionOnTheWire(session: ListedSession, asking: SignedIn | null): SessionOnTheWire {
  const { listedAs: id, account, startedAt, usedAt, address, agent } = session;
  return {
    id,
    accountId: account.id,
    name: account.name,
    role: account.role,
    startedAt: startedAt.toISOString(),
    usedAt: usedAt.toISOString(),
    address,
    agent,
    current: id === asking?.listedAs,
  };
}
