/** POST /v1/analyze/batch: many texts in one request, each with an outcome of its own. Decides nothing about text. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { answerOf } from './analyze-route.js';
import {
  batchBody,
  batchItem,
  batchResponse,
  MAX_BATCH_BYTES,
  type BatchResponse,
  type BatchResult,
} from './batch-schemas.js';
import { askerOf, ClientGoneError } from './give-up-signal.js';
import { requireBody } from './json-body.js';
import { chargeTexts, type ManyTextsOptions, readyAnalyzer } from './many-texts.js';
import { problemOf, serviceErrorOf } from './problem.js';
import { analyzeQuery, problemResponse, type AnalyzeResponse } from './schemas.js';
import { complaint } from './validation.js';

const PROBLEM_STATUSES = [400, 401, 408, 413, 415, 429, 431, 500, 503] as const;

/** Only the id is read of an item whose other members may be anything. */
const identified = z.object({ id: batchItem.shape.id });

export function registerBatchRoute(app: FastifyInstance, options: ManyTextsOptions): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/v1/analyze/batch',
    bodyLimit: MAX_BATCH_BYTES,
    onRequest: options.authenticate,
    preValidation: requireBody,
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
        ...Object.fromEntries(PROBLEM_STATUSES.map((status) => [status, problemResponse])),
      },
    },
    async handler(request, reply): Promise<BatchResponse> {
      const analyzer = readyAnalyzer(options, reply);
      const { items } = request.body;
      chargeTexts(options, request, reply, items.length);
      const spans = request.query.details;
      const asker = { ...askerOf(reply, options.answerTimeoutMs), policy: options.policyOf(request), spans };
      const judge = async (content: string): Promise<AnalyzeResponse> => {
        const begunMs = reply.elapsedTime;
        const analysis = await analyzer.analyze(content, asker);
        options.onAnalyzed?.(analysis, reply, reply.elapsedTime - begunMs);
        return answerOf(analysis, reply, spans ? analyzer.model : undefined);
      };
      const results = await options.turns.each(
        items,
        (item) => outcomeOf(item, judge, request, options.onItemProblem),
        asker,
      );
      return { results, processingTimeMs: Math.round(reply.elapsedTime) };
    },
  });
}

/** What goes wrong with one item is its own problem. Rejects only when the client has gone. */
async function outcomeOf(
  item: unknown,
  judge: (content: string) => Promise<AnalyzeResponse>,
  request: FastifyRequest,
  onProblem: ManyTextsOptions['onItemProblem'],
): Promise<BatchResult> {
  const named = identified.safeParse(item);
  const id = named.success && named.data.id !== undefined ? { id: named.data.id } : {};
  try {
    const parsed = batchItem.safeParse(item);
    if (!parsed.success) throw complaint(parsed.error, item, 'item');
    return { ...id, verdict: await judge(parsed.data.content) };
  } catch (error) {
    if (error instanceof ClientGoneError) throw error;
    const known = serviceErrorOf(error, request);
    onProblem?.(known.code);
    return { ...id, problem: problemOf(known, request.id) };
  }
}
