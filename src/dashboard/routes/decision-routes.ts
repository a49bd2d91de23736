/** What is kept of verdicts, for those who look into them: searched, shown, exported and deleted. Texts are for reviewers and above. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DECISION_ID } from '../../decisions/decision-record.js';
import { EXPORT_TYPES, exportedLines } from '../../decisions/export.js';
import { decisionWithTextSchema, writtenWithText } from '../../decisions/written-decision.js';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { unknownDecision } from '../../http/routes/decision-routes.js';
import { decisionsDeletedResponse } from '../../http/routes/decision-schemas.js';
import { problems } from '../../http/routes/schemas.js';
import { isAtLeast } from '../../people/roles.js';
import { type AdminContext, changing, may, reading } from './admin-context.js';
import { idParams } from './admin-schemas.js';
import {
  decisionExportQuery,
  type DecisionExportQuery,
  decisionSearchQuery,
  decisionSearchResponse,
  keptResponse,
  projectQuery,
  projectReferenceQuery,
} from './decision-schemas.js';
import { DAY_MS } from '../../durations.js';

const DAYS_OF_LOSSES = 30;

export function registerDecisionRoutes(app: FastifyInstance, context: AdminContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const { decisions, cipher, policies, now, askingRecords } = context;

  typed.get(
    '/decisions',
    {
      config: may('viewer'),
      schema: {
        ...reading('Search decisions of a project'),
        description:
          'Newest first. A search looks at a bounded number of decisions: a page may hold less than it could and still have a next one.',
        querystring: decisionSearchQuery,
        response: { 200: decisionSearchResponse, ...problems(400, 401, 503) },
      },
    },
    async (request) => {
      const { projectId, cursor, limit, ...filter } = request.query;
      const reads = readsTexts(request);
      const page = { before: cursor, limit, withTexts: reads };
      const found = await askingRecords(() => decisions.search(projectId, filter, page));
      return {
        decisions: found.decisions.map((decision) => writtenWithText(decision, cipher, reads)),
        next: found.next ?? null,
      };
    },
  );

  typed.get(
    '/decisions/kept',
    {
      config: may('viewer'),
      schema: {
        ...reading('Say what is kept of the verdicts of a project'),
        querystring: projectQuery,
        response: { 200: keptResponse, ...problems(400, 401, 503) },
      },
    },
    async ({ query: { projectId } }) => {
      const { keep } = await policies.of(projectId);
      const since = new Date(now().getTime() - DAYS_OF_LOSSES * DAY_MS).toISOString().slice(0, 10);
      return {
        what: keep?.what ?? ('none' as const),
        days: keep?.days ?? null,
        reference: keep?.reference ?? null,
        canKeepTexts: cipher !== undefined,
        lost: await askingRecords(() => decisions.lostSince(projectId, since)),
      };
    },
  );

  app.get<{ Querystring: DecisionExportQuery }>(
    '/decisions/export',
    {
      config: may('editor', 'decision.export'),
      schema: {
        ...reading('Export decisions with their texts'),
        description: 'JSON Lines, or a CSV in which no cell is a formula.',
        querystring: decisionExportQuery,
        response: { 200: z.string(), ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const { projectId, format, ...filter } = request.query;
      request.audited = { subject: projectId, details: { format, filters: Object.keys(filter).join(' ') } };
      const lines = exportedLines(decisions.each(projectId, filter), cipher, format);
      // A database that does not answer is told before the file begins.
      const first = await askingRecords(() => lines.next());
      void reply
        .type(EXPORT_TYPES[format])
        .header('content-disposition', `attachment; filename="decisions.${format}"`)
        .header('cache-control', 'no-store');
      return reply.send(Readable.from(withFirst(first, lines)));
    },
  );

  typed.get(
    '/decisions/:id',
    {
      config: may('viewer'),
      schema: {
        ...reading('Show a decision'),
        params: idParams,
        response: { 200: decisionWithTextSchema, ...problems(401, 404, 503) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const found = DECISION_ID.test(id) ? await askingRecords(() => decisions.find(id)) : undefined;
      if (found === undefined) throw unknownDecision();
      return writtenWithText(found, cipher, readsTexts(request));
    },
  );

  typed.delete(
    '/decisions',
    {
      config: may('editor', 'decision.delete'),
      schema: {
        ...changing('Delete the decisions of a reference'),
        description: "For a person's request to be forgotten. The audit log says how many there were, and not whose.",
        querystring: projectReferenceQuery,
        response: { 200: decisionsDeletedResponse, ...problems(400, 401, 403, 503) },
      },
    },
    async (request) => {
      const { projectId, reference } = request.query;
      const deleted = await askingRecords(() => decisions.deleteByReference(projectId, reference));
      request.audited = { subject: projectId, details: { deleted } };
      return { deleted };
    },
  );
}

function readsTexts({ adminSession }: FastifyRequest): boolean {
  return adminSession !== null && isAtLeast(adminSession.actor.role, 'reviewer');
}

export async function* withFirst(
  first: IteratorResult<string, unknown>,
  rest: AsyncIterable<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
