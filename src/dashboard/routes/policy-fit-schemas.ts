/** What goes over the wire of the admin API about fitting thresholds, as zod schemas. */
import { z } from 'zod';
import { LABEL_CATEGORIES } from '../../moderation/categories.js';
import { CATEGORY_ACTIONS } from '../../moderation/verdict-policy.js';
import { DOUBTS } from '../../policies/fitting/threshold-fit.js';
import { policyFieldsSchema } from '../../policies/policy-schema.js';

const count = z.int().min(0);
const category = z.enum(LABEL_CATEGORIES, `must be one of: ${LABEL_CATEGORIES.join(', ')}`);
const column = z.string('must be a string').min(1, 'must not be empty');
const WANTED = 'must be a number above 0 and at most 0.5';

export const fitBody = z.object(
  {
    csv: z.string('must be a string').meta({ description: 'A CSV whose first record names the columns.' }),
    textColumn: column.optional(),
    labelColumns: z
      .partialRecord(category, column, 'must be an object by category')
      .default({})
      .meta({ description: 'By category the column that says what is so.' }),
    labelColumn: column.optional().meta({ description: 'The column that says so for all other categories.' }),
    categories: z.array(category, 'must be an array').min(1, 'must not be empty').optional().meta({
      description: 'Those to fit; by default those of labelColumns and, with labelColumn, those that fail a text.',
    }),
    positive: column.optional().meta({
      description: 'The label of texts that are so; without it 1, true and numbers from 0.5 on.',
    }),
    falseAlarms: z
      .number(WANTED)
      .gt(0, WANTED)
      .max(0.5, WANTED)
      .default(0.01)
      .meta({ description: 'The highest share of false alarms, among the texts that are not labelled so.' }),
    policy: policyFieldsSchema
      .optional()
      .meta({ description: 'What the thresholds are to be part of; by default the policy in force.' }),
  },
  { error: 'must be an object' },
);

const share = z.object({
  count,
  of: count,
  share: z.number().min(0).max(1).nullable().meta({ description: 'Null of none.' }),
  interval: z.tuple([z.number(), z.number()]).nullable().meta({ description: 'Of 95 %.' }),
});
const detection = z.object({ falseAlarms: share, found: share });

export const fitResponse = z.object({
  version: count.meta({ description: 'Of the policy in force: the baseVersion of an edit that takes the thresholds.' }),
  texts: count,
  leftOut: count.meta({ description: 'Rows whose text is blank or too long.' }),
  falseAlarms: z.number(),
  categories: z.array(
    z.object({
      category,
      action: z.enum(CATEGORY_ACTIONS),
      unlabelled: count.meta({ description: 'Texts whose label says neither yes nor no.' }),
      before: detection,
      after: detection.extend({
        threshold: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .meta({ description: 'Null where none has so few false alarms.' }),
        doubts: z.array(z.enum(DOUBTS)).meta({ description: 'Why one cannot tell.' }),
      }),
    }),
  ),
  failing: z
    .object({ before: detection, after: detection })
    .meta({ description: 'Texts that fail for whatever reason: of those without a label, and of those with one.' }),
  policy: policyFieldsSchema.meta({
    description: 'With the thresholds of which the texts can tell. It is not stored.',
  }),
  fitted: z.array(category).meta({ description: 'The categories of which they can.' }),
});
export type FitResponse = z.output<typeof fitResponse>;
