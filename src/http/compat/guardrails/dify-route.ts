/** POST /v1/guardrails/dify: Dify's API extension for moderation. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ZodTypeProvider } from '../../body/validation.js';
import { MAX_BATCH_BYTES } from '../../routes/batch-schemas.js';
import type { RouteContext } from '../../routes/route-context.js';
import { problems } from '../../routes/schemas.js';
import { guard, guardedJson, guardedText, invalidBody, MAX_GUARDED_TEXTS } from './guard.js';

const POINTS = ['ping', 'app.moderation.input', 'app.moderation.output'] as const;

export const difyBody = z.object({
  point: z.enum(POINTS, { error: `must be one of: ${POINTS.join(', ')}` }),
  params: z
    .object({
      inputs: guardedJson
        .refine((inputs) => Object.keys(inputs).length < MAX_GUARDED_TEXTS, {
          error: `must have less than ${MAX_GUARDED_TEXTS} members`,
        })
        .nullish(),
      query: guardedText.nullish(),
      text: guardedText.nullish(),
    })
    .nullish(),
});

export const difyResponse = z.object({
  result: z.literal('pong').optional(),
  flagged: z.boolean().optional(),
  action: z.enum(['direct_output', 'overridden']).optional(),
  preset_response: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  query: z.string().optional(),
  text: z.string().optional(),
});
type DifyResponse = z.output<typeof difyResponse>;

/** Dify waits for a minute, and takes an answer that comes later for a pass. */
const WITHIN_MS = 50_000;

export function registerDifyRoute(app: FastifyInstance, context: RouteContext): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/v1/guardrails/dify',
    bodyLimit: MAX_BATCH_BYTES,
    onRequest: context.authenticate(),
    schema: {
      operationId: 'guardDify',
      summary: 'Guard an app of Dify',
      description: 'An API extension for moderation: see docs/integrations/guardrails.md.',
      tags: ['guardrails'],
      security: [{ BearerKey: [] }, { ApiKey: [] }],
      body: difyBody,
      response: { 200: difyResponse, ...problems(401, 415, 429) },
    },
    async handler({ body: { point, params } }, reply): Promise<DifyResponse> {
      if (point === 'ping') return { result: 'pong' };
      const isOutput = point === 'app.moderation.output';
      if (isOutput && typeof params?.text !== 'string') throw invalidBody('params.text', 'must be a string');
      const inputs = isOutput ? {} : (params?.inputs ?? {});
      const names = Object.keys(inputs).filter((name) => typeof inputs[name] === 'string');
      const main = (isOutput ? params?.text : params?.query) ?? '';
      const { blocked, masked } = await guard([main, ...names.map((name) => String(inputs[name]))], context, reply, {
        member: 'params',
        withinMs: WITHIN_MS,
        unjudged: Object.values(inputs).some(isObject) ? 'inputs that are no texts' : undefined,
      });
      if (blocked !== undefined) return { flagged: true, action: 'direct_output', preset_response: blocked.reason };
      if (masked === undefined) return { flagged: false, action: 'direct_output' };
      const [text = '', ...values] = masked;
      if (isOutput) return { flagged: true, action: 'overridden', text };
      const overridden = { ...inputs, ...Object.fromEntries(names.map((name, index) => [name, values[index]])) };
      return { flagged: true, action: 'overridden', inputs: overridden, query: text };
    },
  });
}

/** A file, for one. Numbers and the like hold no words. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
