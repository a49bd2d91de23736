/** What is kept of a project's verdicts, for its own backends: listed, shown and deleted with an API key. Never a text: keys are for asking, not for reading. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { Asking } from '../asking.js';
import { DECISION_ID } from '../../decisions/decision-record.js';
import type { DecisionRepository } from '../../decisions/decision-repository.js';
import { decisionSchema, writtenDecision } from '../../decisions/written-decision.js';
import type { ZodTypeProvider } from '../body/validation.js';
import { decisionListResponse, decisionsDeletedResponse, decisionsQuery, referenceQuery } from './decision-schemas.js';
import { decisionParams } from './review-schemas.js';
import type { RouteContext } from './route-context.js';
import { problems } from './schemas.js';

export interface DecisionRoutesDeps {
  readonly decisions: DecisionRepository;
  readonly asking: Asking;
}

const KEPT = {
  tags: ['decisions'],
  security: [{ ApiKey: [] }, { BearerKey: [] }],
};
const STATUSES = [400, 401, 429, 500, 503] as const;

export function registerDecisionRoutes(
  app: FastifyInstance,
  { authenticate }: Pick<RouteContext, 'authenticate'>,
  { decisions, asking }: DecisionRoutesDeps,
): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = authenticate();

  typed.get(
    '/v1/decisions',
    {
      onRequest,
      schema: {
        ...KEPT,
        operationId: 'listDecisions',
        summary: "List what is kept of the project's verdicts",
        description: 'Newest first, without texts. Empty where the policy of the project keeps nothing.',
        querystring: decisionsQuery,
        response: { 200: decisionListResponse, ...problems(...STATUSES) },
      },
    },
    async (request) => {
      const { reference, since, cursor, limit } = request.query;
      const found = await asking(() =>
        decisions.search(projectOf(request), { reference, from: since }, { before: cursor, limit }),
      );
      return { decisions: found.decisions.map(writtenDecision), next: found.next ?? null };
    },
  );

  typed.get(
    '/v1/decisions/:id',
    {
      onRequest,
      schema: {
        ...KEPT,
        operationId: 'getDecision',
        summary: 'Show what is kept of a verdict',
        params: decisionParams,
        response: { 200: decisionSchema, ...problems(404, ...STATUSES) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const found = DECISION_ID.test(id) ? await asking(() => decisions.find(id)) : undefined;
      // That of another project is as unknown as one that never was.
      if (found?.projectId !== projectOf(request)) throw unknownDecision();
      return writtenDecision(found);
    },
  );

  typed.delete(
    '/v1/decisions',
    {
      onRequest,
      schema: {
        ...KEPT,
        operationId: 'deleteDecisions',
        summary: 'Delete what is kept under a reference',
        description:
          "For a person's request to be forgotten. Decisions of the last second may come after it: ask twice.",
        querystring: referenceQuery,
        response: { 200: decisionsDeletedResponse, ...problems(408, 413, 415, ...STATUSES) },
      },
    },
    async (request) => ({
      deleted: await asking(() => decisions.deleteByReference(projectOf(request), request.query.reference)),
    }),
  );
}

export function unknownDecision(): ServiceError {
  return new ServiceError('not_found', 'There is no such decision: its project does not keep it, or it was deleted.');
}

function projectOf({ verifiedKey }: Pick<FastifyRequest, 'verifiedKey'>): string {
  if (verifiedKey === null) throw new Error('the route did not ask for a key');
  return verifiedKey.projectId;
}
