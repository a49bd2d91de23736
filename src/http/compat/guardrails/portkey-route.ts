/** POST /v1/guardrails/portkey: the webhook guardrail of Portkey's gateway. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ZodTypeProvider } from '../../body/validation.js';
import { MAX_BATCH_BYTES } from '../../routes/batch-schemas.js';
import type { RouteContext } from '../../routes/route-context.js';
import { problems } from '../../routes/schemas.js';
import { guard, guardedJson, guardedText, invalidBody, MAX_GUARDED_TEXTS } from './guard.js';
import { textsIn } from './model-texts.js';

const EVENTS = ['beforeRequestHook', 'afterRequestHook'] as const;
const side = z.object({
  json: guardedJson.nullish(),
  text: guardedText.nullish().catch(null).meta({ description: 'Read where `json` has no text of a known form.' }),
});

export const portkeyBody = z.object({
  eventType: z.enum(EVENTS, { error: `must be one of: ${EVENTS.join(', ')}` }),
  request: side.nullish(),
  response: side.nullish(),
});

export const portkeyResponse = z.object({
  verdict: z.boolean(),
  data: z.object({ reason: z.string() }),
  transformedData: z
    .object({
      request: z.object({ json: z.record(z.string(), z.unknown()) }).optional(),
      response: z.object({ json: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
});
type PortkeyResponse = z.output<typeof portkeyResponse>;

/** Portkey waits for three seconds, and takes an answer that comes later for a pass. */
const WITHIN_MS = 2500;

export function registerPortkeyRoute(app: FastifyInstance, context: RouteContext): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/v1/guardrails/portkey',
    bodyLimit: MAX_BATCH_BYTES,
    onRequest: context.authenticate(),
    schema: {
      operationId: 'guardPortkey',
      summary: 'Guard a language model behind Portkey',
      description: 'A webhook guardrail: see docs/integrations/guardrails.md.',
      tags: ['guardrails'],
      security: [{ ApiKey: [] }, { BearerKey: [] }],
      body: portkeyBody,
      response: { 200: portkeyResponse, ...problems(401, 415, 429) },
    },
    async handler({ body }, reply): Promise<PortkeyResponse> {
      const event = body.eventType === 'beforeRequestHook' ? 'request' : 'response';
      const { json, text } = body[event] ?? {};
      const found = textsIn(json ?? {});
      const texts = found?.texts ?? (text ? [text] : []);
      if (found === undefined && texts.length === 0) throw invalidBody(event, 'has no text of a known form');
      if (texts.length > MAX_GUARDED_TEXTS) throw invalidBody(event, `must have at most ${MAX_GUARDED_TEXTS} texts`);
      const { blocked, masked, unjudged } = await guard(texts, context, reply, {
        member: event,
        masks: found !== undefined,
        withinMs: WITHIN_MS,
        unjudged: found?.hasOthers === true ? 'images and other parts that are no texts' : undefined,
      });
      if (blocked !== undefined) return { verdict: false, data: { reason: blocked.reason } };
      const reason = unjudged === undefined ? 'Passed.' : `Passed. Not judged: ${unjudged}.`;
      return {
        verdict: true,
        data: { reason },
        ...(masked && found && { transformedData: { [event]: { json: found.with(masked) } } }),
      };
    },
  });
}
