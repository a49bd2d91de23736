/** POST /request and /response, the guardrail webhook of agentgateway, kgateway and Gloo AI Gateway. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ZodTypeProvider } from '../../body/validation.js';
import { MAX_BATCH_BYTES } from '../../routes/batch-schemas.js';
import type { RouteContext } from '../../routes/route-context.js';
import { guard, guardedText, MAX_GUARDED_TEXTS, type Outcome } from './guard.js';

const message = z.object({ role: z.string(), content: guardedText.nullish() });
const atMost = { error: `must be at most ${MAX_GUARDED_TEXTS}` };

export const promptBody = z.object({ body: z.object({ messages: z.array(message).max(MAX_GUARDED_TEXTS, atMost) }) });
export const choicesBody = z.object({
  body: z.object({ choices: z.array(z.object({ message })).max(MAX_GUARDED_TEXTS, atMost) }),
});

const answeredMessage = z.object({ role: z.string(), content: z.string() });
const reason = z.string();
const pass = z.object({ reason });
const reject = z.object({ body: z.string(), status_code: z.int(), reason });
export const promptResponse = z.object({
  action: z.union([z.object({ body: z.object({ messages: z.array(answeredMessage) }), reason }), reject, pass]),
});
export const choicesResponse = z.object({
  action: z.union([
    z.object({ body: z.object({ choices: z.array(z.object({ message: answeredMessage })) }), reason }),
    pass,
  ]),
});
const errorText = z.string();

export function registerAgentgatewayRoutes(app: FastifyInstance, context: RouteContext): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const errors = Object.fromEntries([400, 401, 408, 413, 415, 429, 431, 500, 503].map((each) => [each, errorText]));
  const schema = {
    description: 'The guardrail webhook of agentgateway and kgateway: see docs/integrations/guardrails.md.',
    tags: ['guardrails'],
    security: [{ ApiKey: [] }, { BearerKey: [] }],
  };
  const common = { method: 'POST', bodyLimit: MAX_BATCH_BYTES, onRequest: context.authenticate() } as const;

  routes.route({
    ...common,
    url: '/request',
    schema: {
      ...schema,
      operationId: 'guardPrompt',
      summary: 'Guard the messages to a language model behind agentgateway',
      body: promptBody,
      response: { 200: promptResponse, ...errors },
    },
    async handler({ body: { body } }, reply): Promise<z.output<typeof promptResponse>> {
      const { messages } = body;
      const { blocked, masked } = await guard(contents(messages), context, reply, { member: 'messages' });
      if (blocked !== undefined) return { action: { body: blocked.reason, status_code: 403, reason: blocked.reason } };
      if (masked === undefined) return { action: { reason: PASSED } };
      const answered = messages.map(({ role }, index) => ({ role, content: masked[index] ?? '' }));
      return { action: { body: { messages: answered }, reason: MASKED } };
    },
  });

  routes.route({
    ...common,
    url: '/response',
    schema: {
      ...schema,
      operationId: 'guardChoices',
      summary: 'Guard the answer of a language model behind agentgateway',
      body: choicesBody,
      response: { 200: choicesResponse, ...errors },
    },
    async handler({ body: { body } }, reply): Promise<z.output<typeof choicesResponse>> {
      const messages = body.choices.map((choice) => choice.message);
      const { outcomes } = await guard(contents(messages), context, reply, { member: 'choices' });
      if (outcomes.every(({ action }) => action === 'pass')) return { action: { reason: PASSED } };
      // Not rejected: earlier gateways know no such action here, and would take it for a pass.
      const choices = messages.map(({ role, content }, index) => ({
        message: { role, content: replaced(content ?? '', outcomes[index]) },
      }));
      return { action: { body: { choices }, reason: MASKED } };
    },
  });
}

const PASSED = 'Passed.';
const MASKED = 'Passages were replaced.';

function contents(messages: readonly z.output<typeof message>[]): string[] {
  return messages.map(({ content }) => content ?? '');
}

function replaced(content: string, outcome: Outcome | undefined): string {
  if (outcome?.action === 'mask') return outcome.text;
  return outcome?.action === 'block' ? outcome.reason : content;
}
