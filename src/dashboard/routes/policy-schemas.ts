/** What goes over the wire of the admin API about policies, as zod schemas. */
import { z } from 'zod';
import { LABELS } from '../../labels.js';
import { LABEL_CATEGORIES } from '../../moderation/categories.js';
import { CATEGORY_ACTIONS, MOST_KEPT_DAYS, UNREADABLE_ACTIONS } from '../../moderation/verdict-policy.js';
import { categorySchema, policyFitSchema } from '../../policies/fitting/fit-thresholds.js';
import { editorSchema, KEPT_DAYS, policyFieldsSchema, PRESET_NAMES } from '../../policies/policy-schema.js';
import { previewSchema } from '../../policies/preview.js';

/** 20,000 terms of 100 characters of three bytes, and for a preview as much of texts. */
export const MAX_POLICY_BYTES = 8 * 1024 * 1024;
export const MAX_PREVIEW_BYTES = 2 * MAX_POLICY_BYTES;
export const MOST_PREVIEW_TEXTS = 2000;
/** Blank ones included. */
export const MOST_PREVIEW_ROWS = 10_000;
export const MOST_CHANGED_SHOWN = 200;

const count = z.int().min(0);
const time = z.iso.datetime();
const version = z.int('must be a whole number').min(0, 'must not be negative');
const baseVersion = version.meta({
  description: 'The version that the edit was made from, 0 where there was none: an edit of an older one is refused.',
});

const resolvedSchema = z
  .object({
    passMaxScore: z.int().min(0).max(10),
    categories: z.record(
      z.enum(LABEL_CATEGORIES),
      z.object({ action: z.enum(CATEGORY_ACTIONS), threshold: z.number().min(0).max(1).optional() }),
    ),
    unreadable: z.enum(UNREADABLE_ACTIONS),
  })
  .meta({ description: 'With what the preset and the settings of the service say where the policy says nothing.' });

export const policyResponse = z.object({
  projectId: z.string(),
  version: z.int().min(0).meta({ description: '0 where the project has no policy.' }),
  at: time.nullable(),
  by: editorSchema.nullable(),
  policy: policyFieldsSchema,
  resolved: resolvedSchema,
});
export type PolicyResponse = z.output<typeof policyResponse>;

export const policyBody = z.object({ baseVersion, policy: policyFieldsSchema });
export const restoreBody = z.object({ baseVersion, version });

export const historyResponse = z.object({
  versions: z
    .array(
      z.object({
        version: z.int().min(1),
        at: time,
        by: editorSchema,
        restored: z.int().min(0).optional(),
        changed: z.array(z.string()).nullable().meta({ description: 'Null where the version before it was dropped.' }),
        policy: policyFieldsSchema.omit({ blockedTerms: true, ignoredTerms: true }),
        blockedTerms: count.meta({ description: 'How many there were.' }),
        ignoredTerms: count,
      }),
    )
    .meta({ description: 'Newest first; the first is in force.' }),
  oldest: z.int().min(0).meta({ description: 'The oldest version that can be restored; 0 where none was dropped.' }),
});
export type HistoryResponse = z.output<typeof historyResponse>;

export const presetsResponse = z.object({
  presets: z.array(z.object({ name: z.enum(PRESET_NAMES), policy: policyFieldsSchema, resolved: resolvedSchema })),
  categories: z
    .array(
      z.object({
        name: z.enum(LABEL_CATEGORIES),
        label: z.enum(LABELS).meta({ description: 'Of the model, for which the category stands.' }),
        threshold: z.number().min(0).max(1).nullable(),
      }),
    )
    .meta({
      description:
        'Each with the threshold of the model, which holds where neither policy nor preset sets one; null until the model is loaded, and where it has no such label.',
    }),
});
export type PresetsResponse = z.output<typeof presetsResponse>;

export const termsBody = z.object({ text: z.string() });
export const termsResponse = z.object({
  terms: count,
  problems: z.array(z.object({ line: z.int().min(1), message: z.string() })),
});
export type TermsResponse = z.output<typeof termsResponse>;

export const previewBody = z
  .object({
    policy: policyFieldsSchema.meta({ description: 'What to try; it is not stored.' }),
    lines: z.string().optional().meta({ description: 'A text a line.' }),
    csv: z.string().optional().meta({ description: 'A CSV whose first record names the columns.' }),
    textColumn: z.string().optional(),
    keptDays: z
      .int(KEPT_DAYS)
      .min(1, KEPT_DAYS)
      .max(MOST_KEPT_DAYS, KEPT_DAYS)
      .optional()
      .meta({
        description: `Of the decisions of so many days whose texts are kept: some ${MOST_PREVIEW_TEXTS} at equal distances.`,
      }),
  })
  .refine((body) => [body.lines, body.csv, body.keptDays].filter((source) => source !== undefined).length === 1, {
    error: 'must have one of lines, csv and keptDays',
  });

export const previewResponse = previewSchema.extend({
  decisions: z.int().min(0).nullable().meta({
    description: 'With keptDays: how many decisions the texts stand for. Null of other texts.',
  }),
  changed: previewSchema.shape.changed.meta({
    description: `The largest changes first, at most ${MOST_CHANGED_SHOWN}.`,
  }),
});
export type PreviewResponse = z.output<typeof previewResponse>;

const column = z.string().min(1, 'must not be empty');
const WANTED = 'must be a number above 0 and at most 0.5';

export const fitBody = z
  .object({
    csv: z.string().optional().meta({ description: 'A CSV whose first record names the columns.' }),
    labels: z
      .literal(true, 'must be true')
      .optional()
      .meta({
        description: `In place of a CSV: the labels of the project, those of the ${MOST_PREVIEW_TEXTS} texts that were labelled last. By default all categories that fail a text are fitted.`,
      }),
    textColumn: column.optional(),
    labelColumns: z
      .partialRecord(categorySchema, column, 'must be an object by category')
      .default({})
      .meta({ description: 'By category the column that says what is so.' }),
    labelColumn: column.optional().meta({ description: 'The column that says so for all other categories.' }),
    categories: z.array(categorySchema).min(1, 'must not be empty').optional().meta({
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
  })
  .refine(({ csv, labels }) => (csv === undefined) !== (labels === undefined), {
    error: 'must have either csv or labels',
  });

export const fitResponse = policyFitSchema.extend({
  version: count.meta({ description: 'Of the policy in force: the baseVersion of an edit that takes the thresholds.' }),
  leftOut: count.meta({ description: 'Rows whose text is blank or too long.' }),
  falseAlarms: z.number(),
});
export type FitResponse = z.output<typeof fitResponse>;
