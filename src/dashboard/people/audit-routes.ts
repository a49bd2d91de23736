/** The audit log over HTTP: page by page, and all of it as JSON Lines that anybody can check. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { problems } from '../../http/routes/schemas.js';
import { linesOf } from '../../people/audit-lines.js';
import { type AdminContext, may, reading } from '../routes/admin-context.js';
import { auditQuery, auditResponse } from './people-schemas.js';

const TYPE = 'application/x-ndjson';

export function registerAuditRoutes(app: FastifyInstance, { audit, askingRecords }: AdminContext): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    '/audit',
    {
      config: may('owner'),
      schema: {
        ...reading('List who did what'),
        querystring: auditQuery,
        response: { 200: auditResponse, ...problems(400, 401, 403, 503) },
      },
    },
    async ({ query }) => {
      const entries = await askingRecords(() => audit.list(query));
      return { entries, next: entries.length < query.limit ? null : (entries.at(-1)?.sequence ?? null) };
    },
  );

  app.get(
    '/audit/export',
    {
      config: may('owner', 'audit.export'),
      schema: {
        ...reading('Export the audit log'),
        description:
          'JSON Lines, oldest first, each as the list has it. `npx parapet audit verify FILE` checks that none was changed or taken out of the middle.',
        response: { 200: z.string().meta({ contentMediaType: TYPE }), ...problems(401, 403, 503) },
      },
    },
    async (_request, reply) => {
      // What is wrong with the database is told before the answer begins.
      await askingRecords(() => audit.list({ limit: 1 }));
      return reply
        .type(TYPE)
        .header('content-disposition', 'attachment; filename="audit.jsonl"')
        .send(Readable.from(linesOf(audit.entries())));
    },
  );
}
