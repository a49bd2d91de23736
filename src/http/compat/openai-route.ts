/** POST /v1/moderations as OpenAI's API has it, on our own analyzer. A thin mapping: it decides nothing about text. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../body/validation.js';
import type { Analysis } from '../../moderation/analyzer.js';
import { rounded } from '../routes/analyze-route.js';
import { API_KEY_HEADER, type KeySource } from '../auth/auth.js';
import { MAX_BATCH_BYTES } from '../routes/batch-schemas.js';
import type { RouteContext } from '../routes/route-context.js';
import { analyzeBody } from '../routes/schemas.js';
import {
  failsWithoutCategory,
  judgeCategories,
  type CategoryJudgement,
  type OpenAiCategory,
} from './openai-categories.js';
import { OpenAiError } from './openai-error.js';
import {
  moderationBody,
  moderationResponse,
  openAiErrorResponse,
  type ModerationInput,
  type ModerationResponse,
} from './openai-schemas.js';

const ERROR_STATUSES = [400, 401, 413, 415, 429, 500, 503] as const;

const OPENAI_KEY: KeySource = {
  ...API_KEY_HEADER,
  advice: 'Send a valid API key of this service in the header Authorization, as in: Bearer YOUR_KEY.',
};

export function registerModerationsRoute(app: FastifyInstance, context: RouteContext): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/v1/moderations',
    bodyLimit: MAX_BATCH_BYTES,
    onRequest: context.authenticate(OPENAI_KEY),
    schema: {
      operationId: 'createModeration',
      summary: 'Moderate texts, as OpenAI’s API does',
      description: 'For clients of OpenAI’s moderation endpoint: see docs/from-openai.md for what differs.',
      tags: ['compatibility'],
      security: [{ BearerKey: [] }, { ApiKey: [] }],
      body: moderationBody,
      response: {
        200: moderationResponse,
        ...Object.fromEntries(ERROR_STATUSES.map((status) => [status, openAiErrorResponse])),
      },
    },
    async handler(request, reply): Promise<ModerationResponse> {
      const { model } = context.readyAnalyzer(reply);
      const inputs = textsOf(request.body.input);
      const texts = inputs.flat();
      texts.forEach(assertJudgeable);
      await context.chargeTexts(reply, texts.length, 'input');
      const caller = await context.callerOf(reply);
      const analyses = await context.concurrency.each(
        texts,
        (text) => context.judge(text, reply, caller, { begunMs: reply.elapsedTime, isAlone: texts.length === 1 }),
        caller,
      );
      let next = 0;
      return {
        id: `modr-${randomUUID().replaceAll('-', '')}`,
        model,
        results: inputs.map((parts) => resultOf(analyses.slice(next, (next += parts.length)))),
      };
    },
  });
}

/** A result for each string; one for all parts of a message. */
function textsOf(input: ModerationInput): string[][] {
  if (typeof input === 'string') return [[input]];
  const parts: string[] = [];
  const texts: string[][] = [];
  for (const each of input) {
    if (typeof each === 'string') texts.push([each]);
    else if (each.type === 'text') parts.push(each.text);
    else {
      throw new OpenAiError(
        'This service judges text only: leave the image_url parts out.',
        'input',
        'image_input_not_supported',
      );
    }
  }
  return parts.length > 0 ? [parts] : texts;
}

function assertJudgeable(text: string): void {
  const checked = analyzeBody.shape.content.safeParse(text);
  if (checked.success) return;
  const complaints = checked.error.issues.map(({ message }) => message).join('; ');
  throw new OpenAiError(`A text of the input ${complaints}.`, 'input', 'invalid_value');
}

function resultOf(parts: readonly Analysis[]): ModerationResponse['results'][number] {
  const judged = judgeCategories(parts);
  return {
    flagged: judged.some(({ flagged }) => flagged) || parts.some(failsWithoutCategory),
    categories: byCategory(judged, ({ flagged }) => flagged),
    category_scores: byCategory(judged, ({ score }) => rounded(score)),
    category_applied_input_types: byCategory(judged, ({ known }) => (known ? ['text' as const] : [])),
  };
}

function byCategory<Value>(
  judged: readonly CategoryJudgement[],
  read: (judgement: CategoryJudgement) => Value,
): Record<OpenAiCategory, Value> {
  return Object.fromEntries(judged.map((each) => [each.category, read(each)])) as Record<OpenAiCategory, Value>;
}
