/** POST /beta/litellm_basic_guardrail_api, the Generic Guardrail API of LiteLLM: the texts of a request to a language model, or of its answer. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ZodTypeProvider } from '../../body/validation.js';
import { MAX_BATCH_BYTES } from '../../routes/batch-schemas.js';
import type { RouteContext } from '../../routes/route-context.js';
import { problems } from '../../routes/schemas.js';
import { guard, guardedText, MAX_GUARDED_TEXTS } from './guard.js';

/** Other members, an e-mail address among them, are not even read. */
export const liteLlmBody = z.object({
  input_type: z.enum(['request', 'response'], { error: 'must be "request" or "response"' }).optional(),
  texts: z
    .array(guardedText, { error: 'must be an array of strings, or null' })
    .max(MAX_GUARDED_TEXTS, { error: `must be at most ${MAX_GUARDED_TEXTS}` })
    .nullish()
    .meta({ description: 'Each of at most 10,000 characters: a longer one is blocked.' }),
  images: z
    .array(z.unknown(), { error: 'must be an array, or null' })
    .nullish()
    .transform((images) => (images?.length ?? 0) > 0)
    .meta({ description: 'Not judged: blocked, unless the policy lets through what cannot be read.' }),
});

export const liteLlmResponse = z.object({
  action: z.enum(['NONE', 'BLOCKED', 'GUARDRAIL_INTERVENED']),
  blocked_reason: z.string().optional(),
  texts: z.array(z.string()).optional().meta({ description: 'All of them, masked where the policy says so.' }),
  stream_holdback_chars: z.array(z.int().min(0)).optional().meta({
    description:
      'Of an answer, under a policy that masks: what of each text is not to be streamed before the next time.',
  }),
  not_judged: z.string().optional().meta({ description: 'What was let through without a look.' }),
});
type LiteLlmResponse = z.output<typeof liteLlmResponse>;

export function registerLiteLlmRoute(app: FastifyInstance, context: RouteContext): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/beta/litellm_basic_guardrail_api',
    bodyLimit: MAX_BATCH_BYTES,
    onRequest: context.authenticate(),
    schema: {
      operationId: 'guardLiteLlm',
      summary: 'Guard a language model behind LiteLLM',
      description: 'The Generic Guardrail API of LiteLLM: see docs/integrations/guardrails.md.',
      tags: ['guardrails'],
      security: [{ ApiKey: [] }, { BearerKey: [] }],
      body: liteLlmBody,
      response: { 200: liteLlmResponse, ...problems(400, 401, 408, 413, 415, 429, 431, 500, 503) },
    },
    async handler({ body }, reply): Promise<LiteLlmResponse> {
      const { blocked, masked, unfinished, unjudged } = await guard(body.texts ?? [], context, reply, {
        member: 'texts',
        unjudged: body.images ? 'images' : undefined,
      });
      if (blocked !== undefined) return { action: 'BLOCKED', blocked_reason: blocked.reason };
      return {
        ...(masked === undefined ? { action: 'NONE' } : { action: 'GUARDRAIL_INTERVENED', texts: [...masked] }),
        ...(body.input_type === 'response' && unfinished && { stream_holdback_chars: [...unfinished] }),
        ...(unjudged !== undefined && { not_judged: unjudged }),
      };
    },
  });
}
