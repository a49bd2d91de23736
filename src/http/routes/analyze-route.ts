/** POST /v1/analyze: from a validated body to the verdict on the wire. Decides nothing about text. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Analysis } from '../../moderation/analyzer.js';
import type { ZodTypeProvider } from '../body/validation.js';
import type { RouteContext } from './route-context.js';
import { analyzeBody, analyzeQuery, analyzeResponse, problems, type AnalyzeResponse } from './schemas.js';

export const PROBLEM_STATUSES = [400, 401, 408, 413, 415, 429, 431, 500, 503] as const;

export function registerAnalyzeRoute(app: FastifyInstance, context: RouteContext): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/v1/analyze',
    onRequest: context.authenticate(),
    schema: {
      operationId: 'analyze',
      summary: 'Analyze a text',
      description:
        'Judges a text for toxicity, sentiment and safety. Where its project keeps decisions, the header X-Decision-Id names the one of this verdict.',
      tags: ['moderation'],
      security: [{ ApiKey: [] }, { BearerKey: [] }],
      body: analyzeBody,
      querystring: analyzeQuery,
      response: {
        200: analyzeResponse,
        ...problems(...PROBLEM_STATUSES),
      },
    },
    async handler(request, reply): Promise<AnalyzeResponse> {
      const { model } = context.readyAnalyzer(reply);
      const { details: spans } = request.query;
      const { content, metadata } = request.body;
      const caller = await context.callerOf(reply, { spans });
      const analysis = await context.judge(content, reply, caller, { metadata, isAlone: true });
      return answerOf(analysis, reply, spans ? model : undefined);
    },
  });
}

/** @param model named in `details`, which are there if it is given: with spans, which the analysis must have been asked for */
export function answerOf(analysis: Analysis, { elapsedTime }: FastifyReply, model?: string): AnalyzeResponse {
  const { verdict } = analysis;
  return {
    passed: verdict.passed,
    score: verdict.score,
    sentiment: verdict.sentiment,
    description: verdict.description,
    categories: [...verdict.categories],
    processingTimeMs: Math.round(elapsedTime),
    ...(model !== undefined && { details: detailsOf(analysis, model) }),
  };
}

function detailsOf(analysis: Analysis, model: string): AnalyzeResponse['details'] {
  const { labels, sentiments, language } = analysis.probabilities;
  return {
    model,
    band: analysis.verdict.band,
    labels: Object.fromEntries([...labels].map(([label, value]) => [label, rounded(value)])),
    sentiment: Object.fromEntries([...sentiments].map(([sentiment, value]) => [sentiment, rounded(value)])),
    ...(language && { language: language.tag }),
    ...(analysis.isExperimental && { languageExperimental: true as const }),
    spans: analysis.spans().map((span) => ({ ...span, probability: rounded(span.probability) })),
    windows: analysis.sequences,
    cached: analysis.cached,
    ...(analysis.policy.origin && { policy: { ...analysis.policy.origin } }),
  };
}

/** Six decimals: more is noise of the arithmetic. */
export function rounded(probability: number): number {
  return Math.round(probability * 1e6) / 1e6;
}
