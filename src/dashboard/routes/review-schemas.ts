/** What goes over the wire of the admin API about decisions that a person looks at. */
import { z } from 'zod';
import { CATEGORIES } from '../../moderation/categories.js';

const time = z.iso.datetime();
export const MAX_NOTE_CHARACTERS = 2000;
/** How many decisions a browser may hold, or leave to others, at a time. */
const MOST_HELD = 200;

const TEXT = 'Null where none is kept, or the key that opens it is gone.';

export const decisionToReviewSchema = z.object({
  id: z.string(),
  projectId: z.string(),
  project: z.string(),
  at: time,
  requestId: z.string(),
  reference: z.string().nullable(),
  door: z.string().meta({ description: 'The address that the text was sent to.' }),
  passed: z.boolean(),
  score: z.int().min(0).max(10),
  categories: z.array(z.enum(CATEGORIES)),
  language: z.string().nullable(),
  policyVersion: z.int().nullable(),
  text: z.string().nullable().meta({ description: TEXT }),
  claimedUntil: time.meta({ description: 'Until then nobody else gets it.' }),
  appeal: z.object({ id: z.string(), at: time, text: z.string().nullable().meta({ description: TEXT }) }).nullable(),
});
export type DecisionToReview = z.output<typeof decisionToReviewSchema>;

const ids = z.array(z.string()).max(MOST_HELD, `must be at most ${MOST_HELD} ids`);

export const nextBody = z.object({
  projectId: z.string().optional().meta({ description: 'By default of all projects.' }),
  except: ids.default([]).meta({ description: 'Decisions that are at hand already, or left to others.' }),
});

export const nextResponse = z.object({
  decision: decisionToReviewSchema
    .nullable()
    .meta({ description: 'Appeals first, then the most doubtful. Null where nothing is left.' }),
  waiting: z.int().min(0).meta({
    description: 'How many decisions wait for you or anybody, those that somebody has included; counted up to 1,000.',
  }),
});
export type NextResponse = z.output<typeof nextResponse>;

export const releaseBody = z.object({ ids });
export const releaseResponse = nextResponse.pick({ waiting: true });

export const judgementBody = z
  .object({
    outcome: z.enum(['right', 'wrong'], 'must be right or wrong'),
    shouldPass: z
      .boolean('must be true or false')
      .optional()
      .meta({ description: 'Of what was wrong: whether it should have passed.' }),
    categories: z
      .array(z.enum(CATEGORIES, `must each be one of: ${CATEGORIES.join(', ')}`))
      .optional()
      .meta({ description: 'Of what was wrong: those that are right.' }),
    note: z
      .string('must be a string')
      .trim()
      .max(MAX_NOTE_CHARACTERS, `must be at most ${MAX_NOTE_CHARACTERS} characters`)
      .optional()
      .meta({ description: 'For other moderators. Kept encrypted.' }),
  })
  .refine(
    ({ outcome, shouldPass, categories }) =>
      outcome === 'right' || (shouldPass !== undefined && categories !== undefined),
    {
      error: 'must have shouldPass and categories where the outcome is wrong',
    },
  );

export const judgementResponse = z.object({ outcome: z.enum(['right', 'wrong', 'upheld', 'reversed', 'undone']) });
