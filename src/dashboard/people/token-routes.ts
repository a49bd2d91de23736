/** Tokens of the admin API over HTTP: list, create, revoke. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { problems } from '../../http/routes/schemas.js';
import type { AdminToken } from '../../people/admin-tokens.js';
import { type AdminContext, changing, may, reading } from '../routes/admin-context.js';
import { nameOf } from '../session/guard.js';
import { idParams } from '../routes/admin-schemas.js';
import {
  createdTokenResponse,
  tokenBody,
  tokenListResponse,
  tokenSchema,
  type TokenOnTheWire,
} from './people-schemas.js';

export function registerTokenRoutes(app: FastifyInstance, { tokens, askingRecords }: AdminContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/tokens',
    {
      config: may('owner'),
      schema: { ...reading('List admin tokens'), response: { 200: tokenListResponse, ...problems(401, 403, 503) } },
    },
    () => askingRecords(async () => ({ tokens: (await tokens.list()).map(onTheWire) })),
  );

  typed.post(
    '/tokens',
    {
      config: may('owner', 'token.create'),
      schema: {
        ...changing('Create an admin token'),
        description:
          'For scripts: Authorization: Bearer, in place of a session, on every route of the admin API that its role may use.',
        body: tokenBody,
        response: { 201: createdTokenResponse, ...problems(400, 401, 403, 409, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const { token, record } = await askingRecords(() => tokens.create(request.body, nameOf(request.adminSession)));
      request.audited = { subject: record.id, details: { name: record.name, role: record.role } };
      return reply.code(201).send({ token, record: onTheWire(record) });
    },
  );

  typed.post(
    '/tokens/:id/revoke',
    {
      config: may('owner', 'token.revoke'),
      schema: {
        ...changing('Revoke an admin token'),
        params: idParams,
        response: { 200: tokenSchema, ...problems(401, 403, 404, 409, 503) },
      },
    },
    async ({ params }) => onTheWire(await askingRecords(() => tokens.revoke(params.id))),
  );
}

function onTheWire({ createdAt, expiresAt, revokedAt, usedAt, ...token }: AdminToken): TokenOnTheWire {
  return {
    ...token,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: timeOf(expiresAt),
    revokedAt: timeOf(revokedAt),
    usedAt: timeOf(usedAt),
  };
}

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
