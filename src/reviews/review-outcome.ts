/** What came of a review, as it is told to the project: by polling and by webhook. Never holds a text. */
import { z } from 'zod';
import { CATEGORIES } from '../moderation/categories.js';
import type { WebhookEvent } from '../webhooks/webhook-repository.js';
import { appealOutcomeOf, type Review } from './review-record.js';

const OUTCOMES = ['right', 'wrong', 'upheld', 'reversed', 'undone'] as const;

export const reviewOutcomeSchema = z.object({
  id: z.string(),
  decisionId: z.string(),
  requestId: z
    .string()
    .meta({ description: 'Of the request that was answered with the decision: its `X-Request-Id`.' }),
  reference: z.string().nullable().meta({ description: 'Your own name for the text, where the project keeps that.' }),
  appealId: z.string().nullable(),
  at: z.iso.datetime(),
  outcome: z.enum(OUTCOMES).meta({
    description:
      '`right` or `wrong`; after an appeal `upheld` or `reversed`; `undone` where a person took back what was told last of the decision: what was told before that counts again.',
  }),
  passed: z.boolean().meta({ description: 'What was decided.' }),
  shouldPass: z.boolean().meta({ description: 'What is right.' }),
  categories: z.array(z.enum(CATEGORIES)).meta({ description: 'Those that are right.' }),
});
export type ReviewOutcome = z.output<typeof reviewOutcomeSchema>;

export function outcomeOf(review: Review): ReviewOutcome {
  return {
    id: `rev_${review.sequence}`,
    decisionId: review.decisionId,
    requestId: review.requestId,
    reference: review.reference ?? null,
    appealId: review.appealId ?? null,
    at: new Date(review.at).toISOString(),
    outcome: appealOutcomeOf(review) ?? review.outcome,
    passed: review.passed,
    shouldPass: review.shouldPass,
    categories: [...review.categories],
  };
}

/** As a webhook is told. */
export function outcomeEventOf(review: Review): WebhookEvent {
  return { id: `msg_${review.sequence}`, type: 'review.outcome', at: review.at, data: outcomeOf(review) };
}
