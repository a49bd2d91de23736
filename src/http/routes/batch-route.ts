/** POST /v1/analyze/batch: many texts in one request, each with an outcome of its own. Decides nothing about text. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serviceErrorFrom } from '../../errors.js';
import { answerOf, PROBLEM_STATUSES } from './analyze-route.js';
import {
  batchBody,
  batchResponse,
  MAX_BATCH_BYTES,
  type BatchItem,
  type BatchResponse,
  type BatchResult,
} from './batch-schemas.js';
import { problemOf, serviceErrorOf, ClientGoneError } from '../problem.js';
import type { RouteContext } from './route-context.js';
import { analyzeQuery, problems, type AnalyzeResponse } from './schemas.js';
import type { ZodTypeProvider } from '../body/validation.js';

export function registerBatchRoute(app: FastifyInstance, context: RouteContext): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/v1/analyze/batch',
    bodyLimit: MAX_BATCH_BYTES,
    onRequest: context.authenticate(),
    schema: {
      operationId: 'analyzeBatch',
      summary: 'Analyze up to 128 texts',
      description:
        'Judges each item as `POST /v1/analyze` would. Each item counts as a request against the rate limit.',
      tags: ['moderation'],
      security: [{ ApiKey: [] }, { BearerKey: [] }],
      body: batchBody,
      querystring: analyzeQuery,
      response: {
        200: batchResponse,
        ...problems(...PROBLEM_STATUSES),
      },
    },
    async handler(request, reply): Promise<BatchResponse> {
      const { model } = context.readyAnalyzer(reply);
      const { items } = request.body;
      await context.chargeTexts(reply, items.length, 'items');
      const { details: spans } = request.query;
      const caller = await context.callerOf(reply, { spans });
      const judge = async (content: string, metadata: unknown): Promise<AnalyzeResponse> =>
        answerOf(
          await context.judge(content, reply, caller, { begunMs: reply.elapsedTime, metadata }),
          reply,
          spans ? model : undefined,
        );
      const results = await context.concurrency.each(
        items,
        (item) => outcomeOf(item, judge, request, context.itemFailed),
        caller,
      );
      return { results, processingTimeMs: Math.round(reply.elapsedTime) };
    },
  });
}

/** What goes wrong with one item is its own problem. Rejects only when the client has gone. */
async function outcomeOf(
  item: BatchItem,
  judge: (content: string, metadata: unknown) => Promise<AnalyzeResponse>,
  request: FastifyRequest,
  onProblem: RouteContext['itemFailed'],
): Promise<BatchResult> {
  const id = item.id === undefined ? {} : { id: item.id };
  try {
    if ('refusal' in item) throw serviceErrorFrom(item.refusal);
    return { ...id, verdict: await judge(item.content, item.metadata) };
  } catch (error) {
    if (error instanceof ClientGoneError) throw error;
    const known = serviceErrorOf(error, request);
    onProblem(known.code, request);
    return { ...id, problem: problemOf(known, request.id) };
  }
}
