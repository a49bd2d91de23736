/** Invitations over HTTP: owners make and withdraw them; whoever has the link of one sets a password with it. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { problems } from '../../http/routes/schemas.js';
import { invitationPath, type Invitation, type NewInvitation } from '../../people/invitations.js';
import { type AdminContext, changing, may, open, reading } from '../routes/admin-context.js';
import { nameOf } from '../session/guard.js';
import { idParams, sessionResponse } from '../routes/admin-schemas.js';
import { startSession } from '../routes/session-routes.js';
import {
  acceptInvitationBody,
  createdInvitationResponse,
  invitationBody,
  invitationListResponse,
  openedInvitationResponse,
  openInvitationBody,
  type CreatedInvitation,
  type InvitationOnTheWire,
} from './people-schemas.js';

export function registerInvitationRoutes(app: FastifyInstance, { invitations, askingRecords }: AdminContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/invitations',
    {
      config: may('owner'),
      schema: { ...reading('List invitations'), response: { 200: invitationListResponse, ...problems(401, 403, 503) } },
    },
    () => askingRecords(async () => ({ invitations: (await invitations.list()).map(onTheWire) })),
  );

  typed.post(
    '/invitations',
    {
      config: may('owner', 'invitation.create'),
      schema: {
        ...changing('Invite somebody'),
        description: 'An earlier invitation of the same name is withdrawn.',
        body: invitationBody,
        response: { 201: createdInvitationResponse, ...problems(400, 401, 403, 409, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const { name, role, expiresInDays: days } = request.body;
      const created = await askingRecords(() => invitations.create({ name, role, days }, nameOf(request.adminSession)));
      const { invitation } = created;
      request.audited = { subject: invitation.id, details: { name: invitation.name, role } };
      return reply.code(201).send(createdInvitationOf(created));
    },
  );

  app.delete<{ Params: { id: string } }>(
    '/invitations/:id',
    {
      config: may('owner', 'invitation.withdraw'),
      schema: { ...changing('Withdraw an invitation'), params: idParams, response: problems(401, 403, 404, 503) },
    },
    async ({ params }, reply) => {
      await askingRecords(() => invitations.withdraw(params.id));
      return reply.code(204).send();
    },
  );
}

/** For those who are not signed in. Nobody guesses a token, so that no flood of attempts to sign in keeps out who has one. */
export function registerAcceptRoutes(app: FastifyInstance, context: AdminContext): void {
  const { invitations, signIn, askingRecords, audit } = context;
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.post(
    '/invitations/open',
    {
      schema: {
        ...open('Look at an invitation'),
        body: openInvitationBody,
        response: { 200: openedInvitationResponse, ...problems(400, 403, 409, 413, 415, 503) },
      },
    },
    async ({ body }) => {
      const { name, role, resetsPassword } = onTheWire(await askingRecords(() => invitations.open(body.token)));
      return { name, role, resetsPassword };
    },
  );

  typed.post(
    '/invitations/accept',
    {
      schema: {
        ...open('Set a password with an invitation, and sign in'),
        body: acceptInvitationBody,
        response: { 200: sessionResponse, ...problems(400, 403, 409, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body;
      const { id: invitation } = await askingRecords(() => invitations.open(token));
      const passwordHash = await signIn.hash(password);
      const actor = await askingRecords(async () => {
        const account = await invitations.accept(token, passwordHash);
        const { id, name, role } = account;
        await audit.append({
          actor: { id, name },
          action: 'invitation.accept',
          subject: id,
          details: { role, invitation },
        });
        return { id, name, role };
      });
      return startSession(context, actor, request, reply);
    },
  );
}

export function createdInvitationOf({ token, invitation }: NewInvitation): CreatedInvitation {
  return { path: invitationPath(token), invitation: onTheWire(invitation) };
}

function onTheWire({ accountId, createdAt, expiresAt, ...invitation }: Invitation): InvitationOnTheWire {
  return {
    ...invitation,
    resetsPassword: accountId !== null,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
