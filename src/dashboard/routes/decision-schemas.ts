/** What goes over the wire of the admin API about decisions, as zod schemas. */
import { z } from 'zod';
import { EXPORT_FORMATS } from '../../decisions/export.js';
import { decisionWithTextSchema } from '../../decisions/written-decision.js';
import {
  nameParameter,
  nextPage,
  pageParameters,
  referenceQuery,
  timeParameter,
} from '../../http/routes/decision-schemas.js';
import { CATEGORIES } from '../../moderation/categories.js';
import { KEPT } from '../../moderation/verdict-policy.js';

const SCORE = 'must be a whole number from 0 to 10';
const score = z
  .string()
  .regex(/^(?:\d|10)$/, SCORE)
  .transform(Number);

const filters = {
  projectId: nameParameter,
  from: timeParameter.optional(),
  to: timeParameter.optional(),
  passed: z
    .enum(['true', 'false'], 'must be "true" or "false"')
    .transform((value) => value === 'true')
    .optional(),
  category: z.enum(CATEGORIES, `must be one of: ${CATEGORIES.join(', ')}`).optional(),
  language: nameParameter.optional(),
  minScore: score.optional(),
  maxScore: score.optional(),
  door: nameParameter.optional(),
  reference: nameParameter.optional(),
  requestId: nameParameter.optional(),
  review: nameParameter.optional(),
};

export const decisionSearchQuery = z.object({ ...filters, ...pageParameters });

export const decisionExportQuery = z.object({
  ...filters,
  format: z.enum(EXPORT_FORMATS, `must be one of: ${EXPORT_FORMATS.join(', ')}`).default('jsonl'),
});

export type DecisionExportQuery = z.output<typeof decisionExportQuery>;

export const projectQuery = z.object({ projectId: nameParameter });
export const projectReferenceQuery = referenceQuery.extend(projectQuery.shape);

export const decisionSearchResponse = z.object({ decisions: z.array(decisionWithTextSchema), next: nextPage });
export type DecisionSearchResponse = z.output<typeof decisionSearchResponse>;

export const keptResponse = z.object({
  what: z.enum(KEPT),
  days: z.int().nullable(),
  reference: z.string().nullable().meta({ description: 'The member of metadata that is kept as the reference.' }),
  canKeepTexts: z.boolean().meta({ description: 'Whether DECISIONS_KEY is set.' }),
  lost: z.int().min(0).meta({ description: 'Decisions of the last 30 days that could not be kept.' }),
});
export type KeptResponse = z.output<typeof keptResponse>;
