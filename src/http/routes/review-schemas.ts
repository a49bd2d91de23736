/** What goes over the wire about appeals, and about what came of reviews. */
import { z } from 'zod';
import { reviewOutcomeSchema } from '../../reviews/review-outcome.js';

export const MAX_APPEAL_CHARACTERS = 2000;

export const decisionParams = z.object({ id: z.string() });

export const appealBody = z.object({
  text: z
    .string('must be a string')
    .max(MAX_APPEAL_CHARACTERS, `must be at most ${MAX_APPEAL_CHARACTERS} characters`)
    .optional()
    .meta({
      description: 'What the appellant says, for whoever looks at it. Kept encrypted, as long as the decision.',
    }),
});

export const appealResponse = z.object({ id: z.string(), decisionId: z.string(), at: z.iso.datetime() });
export type AppealResponse = z.output<typeof appealResponse>;

export const outcomesQuery = z.object({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the cursor of an answer')
    .default('0')
    .transform(Number)
    .meta({ description: 'That of the answer before: what came later is answered. Without it all that is kept.' }),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .default('100')
    .transform(Number),
});

export const outcomesResponse = z.object({
  reviews: z.array(reviewOutcomeSchema).meta({ description: 'Oldest first.' }),
  cursor: z.string().meta({ description: 'For the next request, also where there was nothing new.' }),
});
export type OutcomesResponse = z.output<typeof outcomesResponse>;
