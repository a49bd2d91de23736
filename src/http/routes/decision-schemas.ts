/** What goes over the wire of decisions, as zod schemas. */
import { z } from 'zod';
import { DECISION_ID } from '../../decisions/decision-record.js';
import { decisionSchema } from '../../decisions/written-decision.js';

const MOST_ON_A_PAGE = 200;
const DEFAULT_ON_A_PAGE = '50';
const LIMIT = `must be a whole number from 1 to ${MOST_ON_A_PAGE}`;
const NAME = 'must be 1 to 200 characters without control characters';
const TIME = 'must be a time such as 2031-05-04T10:30:00Z';

/** A name that somebody gave: none of the database's business. */
export const nameParameter = z
  .string()
  .min(1, NAME)
  .max(200, NAME)
  .regex(/^\P{Cc}*$/u, NAME);

export const timeParameter = z.iso.datetime({ offset: true, error: TIME }).transform((time) => Date.parse(time));

export const pageParameters = {
  cursor: z.string().regex(DECISION_ID, 'must be `next` of the page before').optional().meta({
    description: '`next` of the page before.',
  }),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, LIMIT)
    .default(DEFAULT_ON_A_PAGE)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= MOST_ON_A_PAGE, LIMIT),
};

export const decisionsQuery = z.object({
  reference: nameParameter.optional(),
  since: timeParameter.optional(),
  ...pageParameters,
});

export const referenceQuery = z.object({ reference: nameParameter });

export const nextPage = z.string().nullable().meta({
  description: 'The cursor of the next page, also of one that is not full; null at the end.',
});

export const decisionListResponse = z.object({ decisions: z.array(decisionSchema), next: nextPage });

export const decisionsDeletedResponse = z.object({ deleted: z.int().min(0) });
