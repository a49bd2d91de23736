/** POST /v1/guardrails/coral/KEY_ID: an external moderation phase of Coral, which signs its requests in place of a key. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { UNREADABLE, type Category } from '../../../moderation/categories.js';
import { headerOf } from '../../auth/auth.js';
import type { ZodTypeProvider } from '../../body/validation.js';
import type { RouteContext } from '../../routes/route-context.js';
import { problems } from '../../routes/schemas.js';
import { guard, guardedText } from './guard.js';

const ACTIONS = ['NEW', 'EDIT'] as const;

/** Of the author, the story and the site nothing is read. */
export const coralBody = z.object({
  action: z.enum(ACTIONS, { error: `must be one of: ${ACTIONS.join(', ')}` }),
  comment: z.object({ body: guardedText.meta({ description: 'HTML or plain text.' }) }),
});

export const coralResponse = z.object({
  actions: z.array(
    z.object({
      actionType: z.literal('FLAG'),
      reason: z.enum(['COMMENT_DETECTED_TOXIC', 'COMMENT_DETECTED_SPAM']),
    }),
  ),
  status: z.enum(['SYSTEM_WITHHELD', 'PREMOD']).optional().meta({
    description: 'Withheld, or, where it could not be judged, before a moderator first. Absent where Coral goes on.',
  }),
});
type CoralResponse = z.output<typeof coralResponse>;

/** Coral waits for ten seconds at most, and publishes what no answer came for. */
const WITHIN_MS = 9000;

export function registerCoralRoute(app: FastifyInstance, context: RouteContext): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/v1/guardrails/coral/:keyId',
    preParsing: context.authenticateSigned({
      keyIdIn: ({ params }) => z.object({ keyId: z.string() }).parse(params).keyId,
      signaturesIn: ({ headers }) => signaturesOf(headerOf(headers['x-coral-signature']) ?? ''),
      advice: 'Send the id of a key in the path, and sign the body with the secret that this key was given.',
    }),
    schema: {
      operationId: 'guardCoral',
      summary: 'Moderate comments of Coral',
      description: 'An external moderation phase: see docs/integrations/guardrails.md.',
      tags: ['guardrails'],
      security: [{ CoralSignature: [] }],
      params: z.object({ keyId: z.string().meta({ description: 'Of the key that was given the secret.' }) }),
      body: coralBody,
      response: { 200: coralResponse, ...problems(401, 415, 429) },
    },
    async handler({ body }, reply): Promise<CoralResponse> {
      const { blocked } = await guard([body.comment.body], context, reply, {
        member: 'comment',
        masks: false,
        withinMs: WITHIN_MS,
      });
      if (blocked === undefined) return { actions: [] };
      const { categories } = blocked;
      if (categories === undefined || isUnread(categories)) return { actions: [], status: 'PREMOD' };
      return { actions: [{ actionType: 'FLAG', reason: flagOf(categories) }], status: 'SYSTEM_WITHHELD' };
    },
  });
}

/** Whether nothing else was found: what cannot be read is for people. */
function isUnread([first, ...others]: readonly Category[]): boolean {
  return first === UNREADABLE && others.length === 0;
}

/** Coral knows two reasons, and refuses an answer with another. A score that fails without a category is one of toxicity. */
function flagOf(categories: readonly Category[]): 'COMMENT_DETECTED_TOXIC' | 'COMMENT_DETECTED_SPAM' {
  return categories.length > 0 && categories.every((category) => category === 'spam')
    ? 'COMMENT_DETECTED_SPAM'
    : 'COMMENT_DETECTED_TOXIC';
}

/** `sha256=HEX`, separated by commas: one for each secret that is active in Coral. */
function signaturesOf(header: string): string[] {
  return [...header.matchAll(/(?:^|,)\s*sha256=([0-9a-f]{64})\s*(?=,|$)/gi)].map(([, hex = '']) => hex);
}
