/** Appeals against decisions, and what came of reviews, for the backend of a project. */
import type { FastifyInstance } from 'fastify';
import type { TextCipher } from '../../decisions/text-cipher.js';
import { ServiceError } from '../../errors.js';
import { outcomeOf } from '../../reviews/review-outcome.js';
import type { Reviews } from '../../reviews/review-repository.js';
import type { Asking } from '../asking.js';
import type { ZodTypeProvider } from '../body/validation.js';
import type { RouteContext } from './route-context.js';
import {
  appealBody,
  appealResponse,
  decisionParams,
  outcomesQuery,
  outcomesResponse,
  type AppealResponse,
  type OutcomesResponse,
} from './review-schemas.js';
import { problems } from './schemas.js';

export interface ReviewRoutesDeps {
  readonly reviews: Pick<Reviews, 'appeal' | 'list'>;
  /** Undefined where no text is kept. */
  readonly cipher: TextCipher | undefined;
  readonly asking: Asking;
}

const OF_KEYS = { tags: ['review'], security: [{ ApiKey: [] }, { BearerKey: [] }] };

export function registerReviewRoutes(
  app: FastifyInstance,
  { authenticate }: Pick<RouteContext, 'authenticate'>,
  { reviews, cipher, asking }: ReviewRoutesDeps,
): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.post(
    '/v1/decisions/:id/appeals',
    {
      onRequest: authenticate(),
      schema: {
        ...OF_KEYS,
        operationId: 'appeal',
        summary: 'Appeal against a decision',
        description:
          'A person looks at it before all else. Only where the policy of the project keeps decisions, and one appeal against a decision at a time.',
        params: decisionParams,
        body: appealBody,
        response: { 201: appealResponse, ...problems(400, 401, 404, 408, 409, 413, 415, 429, 431, 500, 503) },
      },
    },
    async ({ params: { id: decisionId }, body, verifiedKey }, reply): Promise<AppealResponse> => {
      const text = body.text?.trim() ?? '';
      if (text !== '' && cipher === undefined) {
        const message = 'cannot be kept by this service: it has no DECISIONS_KEY. Send the appeal without it';
        throw new ServiceError('invalid_body', `text ${message}.`, { errors: [{ path: 'text', message }] });
      }
      const sealed = text === '' ? undefined : cipher?.seal(text, appealContext(decisionId));
      const projectId = verifiedKey?.projectId ?? '';
      const { id, at } = await asking(() => reviews.appeal(projectId, decisionId, sealed));
      void reply.code(201);
      return { id, decisionId, at: new Date(at).toISOString() };
    },
  );

  typed.get(
    '/v1/reviews',
    {
      onRequest: authenticate(),
      schema: {
        ...OF_KEYS,
        operationId: 'reviews',
        summary: 'What came of reviews',
        description:
          'Of decisions of the project that are still kept, in a stable order: ask again with the cursor of the answer.',
        querystring: outcomesQuery,
        response: { 200: outcomesResponse, ...problems(400, 401, 408, 429, 431, 500, 503) },
      },
    },
    async ({ query: { cursor, limit }, verifiedKey }): Promise<OutcomesResponse> => {
      const found = await asking(() => reviews.list(verifiedKey?.projectId ?? '', cursor, limit));
      return { reviews: found.map(outcomeOf), cursor: String(found.at(-1)?.sequence ?? cursor) };
    },
  );
}

/** What an appeal is sealed for: no other decision, and not in place of its text. */
export const appealContext = (decisionId: string): string => `${decisionId} appeal`;
