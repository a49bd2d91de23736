/** The fields of a policy, each of which may be left to the preset or the settings: schema, types and limits. Knows nothing of files. */
import { z } from 'zod';
import { LABEL_CATEGORIES, type LabelCategory } from '../moderation/categories.js';
import {
  BLOCKED_TERM_ACTIONS,
  CATEGORY_ACTIONS,
  KEPT,
  MOST_KEPT_DAYS,
  UNREADABLE_ACTIONS,
} from '../moderation/verdict-policy.js';

export const PRESET_NAMES = ['default', 'news', 'games', 'adults', 'children'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

export const MOST_TERMS = 10_000;
export const MOST_TERM_CHARACTERS = 100;
const MOST_REFERENCE_NAME = 100;

/** A member's name is the operator's, not of a text; what is not a name is not repeated. */
const strictly =
  (shape: string) =>
  (issue: z.core.$ZodRawIssue): string => {
    if (issue.code !== 'unrecognized_keys') return shape;
    const names = issue.keys.filter((name) => /^\w{1,30}$/.test(name)).slice(0, 5);
    return names.length === 0
      ? 'has a member that is not known'
      : `has members that are not known: ${names.join(', ')}`;
  };

const oneOf = (names: readonly string[]): string => `must be one of: ${names.join(', ')}`;

/** Line breaks and the like can stand in no word, and would forge lines of a list that is exported. */
const termSchema = z
  .string('must be a string')
  .trim()
  .min(1, 'must not be empty')
  .refine((term) => term.length <= MOST_TERM_CHARACTERS || Array.from(term).length <= MOST_TERM_CHARACTERS, {
    error: `must be at most ${MOST_TERM_CHARACTERS} characters`,
  })
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must not contain control characters or line breaks');

const termsSchema = z
  .array(termSchema, 'must be an array')
  .max(MOST_TERMS, `must be at most ${MOST_TERMS} terms`)
  .meta({ description: `At most ${MOST_TERMS} terms of at most ${MOST_TERM_CHARACTERS} characters.` });

const categoryFieldsSchema = z.strictObject(
  {
    threshold: z
      .number('must be a number from 0 to 1')
      .min(0, 'must be a number from 0 to 1')
      .max(1, 'must be a number from 0 to 1')
      .optional()
      .meta({ description: 'Least probability that counts as detected.' }),
    action: z.enum(CATEGORY_ACTIONS, oneOf(CATEGORY_ACTIONS)).optional(),
  },
  { error: strictly('must be an object of threshold and action') },
);

const categoryShape = Object.fromEntries(
  LABEL_CATEGORIES.map((category) => [category, categoryFieldsSchema.optional()]),
) as Record<LabelCategory, z.ZodOptional<typeof categoryFieldsSchema>>;

const bandEnd = z
  .int('must be a whole number from 0 to 10')
  .min(0, 'must be a whole number from 0 to 10')
  .max(10, 'must be a whole number from 0 to 10');

const SHARE = 'must be a number from 0 to 1';

const reviewSchema = z.strictObject(
  {
    scores: z
      .strictObject({ from: bandEnd, to: bandEnd }, { error: strictly('must be an object of from and to') })
      .refine(({ from, to }) => from <= to, { error: 'from must not be above to' })
      .optional(),
    secondReviews: z.number(SHARE).min(0, SHARE).max(1, SHARE).optional().meta({
      description: 'The share of the decisions that a person judges which a second person judges too.',
    }),
  },
  { error: strictly('must be an object of scores and secondReviews') },
);

export const KEPT_DAYS = `must be a whole number from 1 to ${MOST_KEPT_DAYS}`;
const REFERENCE_NAME = `must be the name of a member of metadata: 1 to ${MOST_REFERENCE_NAME} characters`;

const keepSchema = z
  .strictObject(
    {
      what: z.enum(KEPT, oneOf(KEPT)),
      days: z
        .int(KEPT_DAYS)
        .min(1, KEPT_DAYS)
        .max(MOST_KEPT_DAYS, KEPT_DAYS)
        .optional()
        .meta({ description: 'After so many days a decision is deleted.' }),
      reference: z
        .string(REFERENCE_NAME)
        .regex(/^[^\p{Cc}]+$/u, REFERENCE_NAME)
        .max(MOST_REFERENCE_NAME, REFERENCE_NAME)
        .optional()
        .meta({ description: "The member of `metadata` that is the caller's own name for its text." }),
    },
    { error: strictly('must be an object of what, days and reference') },
  )
  .refine(({ what, days }) => what === 'none' || days !== undefined, { path: ['days'], error: KEPT_DAYS });

/** Strict, in requests and in the file: a member that is not understood would be a rule that silently does not hold. */
export const policyFieldsSchema = z.strictObject(
  {
    preset: z.enum(PRESET_NAMES, oneOf(PRESET_NAMES)).optional(),
    passMaxScore: z
      .int('must be a whole number from 0 to 10')
      .min(0, 'must be a whole number from 0 to 10')
      .max(10, 'must be a whole number from 0 to 10')
      .optional()
      .meta({ description: 'Highest score that passes; with 10 the score fails nothing.' }),
    categories: z.strictObject(categoryShape, { error: strictly('must be an object by category') }).optional(),
    blockedTerms: termsSchema.optional(),
    blockedTermsAction: z.enum(BLOCKED_TERM_ACTIONS, oneOf(BLOCKED_TERM_ACTIONS)).optional().meta({
      description: 'With `mask` a blocked term is replaced where the caller takes that; else it fails the text.',
    }),
    ignoredTerms: termsSchema.optional(),
    unreadable: z
      .enum(UNREADABLE_ACTIONS, oneOf(UNREADABLE_ACTIONS))
      .optional()
      .meta({ description: 'What becomes of a text of which most could not be read.' }),
    review: reviewSchema.optional().meta({
      description:
        'Scores whose decisions are to be looked at by a person, passed or not, beside categories whose action is `review`; and how many by two.',
    }),
    keep: keepSchema.optional().meta({
      description: 'What is kept of each verdict; without it nothing is. `texts` needs DECISIONS_KEY.',
    }),
  },
  { error: strictly('must be an object') },
);
export type PolicyFields = Readonly<z.output<typeof policyFieldsSchema>>;

export const TERM_FIELDS = ['blockedTerms', 'ignoredTerms'] as const;
export type TermField = (typeof TERM_FIELDS)[number];

/** Who changed a policy: `command line`, `dashboard` for the owner, the name of an account, or `token:NAME`. */
export const editorSchema = z.string().min(1).max(200);
