/** Fits the thresholds of a policy to labelled texts, and says what the policy would be with them. Stores nothing. */
import { z } from 'zod';
import { StoreRefusal } from '../../errors.js';
import { LABELS, type Label } from '../../labels.js';
import type { Analysis, Analyzer, AnalyzeOptions } from '../../moderation/analyzer.js';
import { CATEGORY_OF_LABEL, LABEL_CATEGORIES, type LabelCategory } from '../../moderation/categories.js';
import {
  CATEGORY_ACTIONS,
  failsText,
  perCategory,
  type PolicySettings,
  type VerdictPolicy,
} from '../../moderation/verdict-policy.js';
import { nextTurn } from '../../threads/next-turn.js';
import { createConcurrencyLimit } from '../../threads/concurrency-limit.js';
import { policyFieldsSchema, type PolicyFields } from '../policy-schema.js';
import { resolveFields } from '../resolve-policy.js';
import type { LabelledText } from './labelled-texts.js';
import { detectionOf, detectionSchema, fitThreshold, thresholdFitSchema, type Detection } from './threshold-fit.js';

const count = z.int().min(0);
export const categorySchema = z.enum(LABEL_CATEGORIES, `must be one of: ${LABEL_CATEGORIES.join(', ')}`);

/** The action is what a category does to a text: a threshold changes nothing about that. */
const categoryFitSchema = z.object({
  category: categorySchema,
  action: z.enum(CATEGORY_ACTIONS),
  unlabelled: count.meta({ description: 'Texts whose label says neither yes nor no.' }),
  before: detectionSchema,
  after: thresholdFitSchema,
});
type CategoryFit = z.output<typeof categoryFitSchema>;

export const policyFitSchema = z.object({
  texts: count,
  categories: z.array(categoryFitSchema),
  failing: z.object({ before: detectionSchema, after: detectionSchema }).meta({
    description:
      'Texts that fail for whatever reason: of those that should pass, or are without a label, and of those that should not, or have one.',
  }),
  scores: z
    .array(detectionSchema.extend({ passMaxScore: z.int().min(0).max(10) }))
    .meta({ description: 'What would fail with the fitted thresholds, by the highest score that passes: 0 to 10.' }),
  policy: policyFieldsSchema.meta({
    description: 'With the thresholds of which the texts can tell. It is not stored.',
  }),
  fitted: z.array(categorySchema).meta({ description: 'The categories of which they can.' }),
});
export type PolicyFit = z.output<typeof policyFitSchema>;

export interface FitRequest {
  readonly analyzer: Pick<Analyzer, 'analyze'>;
  readonly texts: readonly LabelledText[];
  readonly categories: readonly LabelCategory[];
  readonly settings: PolicySettings;
  readonly fields: PolicyFields;
  /** The highest share of false alarms, above 0 and at most 0.5. */
  readonly falseAlarms: number;
  readonly caller?: Omit<AnalyzeOptions, 'policy'>;
  /** Texts that are with the model at once. */
  readonly concurrency: number;
}

interface AnalyzedText extends LabelledText {
  readonly analysis: Analysis;
}

/** Each text is read once. @throws ServiceError when the model cannot answer; StoreRefusal where it does not know a category */
export async function fitThresholds(request: FitRequest): Promise<PolicyFit> {
  const { analyzer, settings, fields, caller, categories } = request;
  const policy = resolveFields(settings, fields);
  const limit = createConcurrencyLimit(request.concurrency);
  const judged = await limit.each(request.texts, async (text): Promise<AnalyzedText> => {
    return { ...text, analysis: await analyzer.analyze(text.text, { ...caller, policy }) };
  });
  const fits: CategoryFit[] = [];
  for (const category of categories) {
    // Of 2000 texts a category takes some 10 ms: others are answered in between.
    await nextTurn();
    fits.push(categoryFit(category, judged, policy, request.falseAlarms));
  }
  const thresholds = fits.flatMap(({ category, after: { threshold, doubts } }) =>
    threshold === null || doubts.includes('too few harmless texts') ? [] : [[category, threshold] as const],
  );
  const next = withThresholds(fields, new Map(thresholds));
  await nextTurn();
  const before = failingUnder(policy, judged, categories);
  await nextTurn();
  const fitted = resolveFields(settings, next);
  const after = failingUnder(fitted, judged, categories);
  const scores: PolicyFit['scores'] = [];
  for (let passMaxScore = 0; passMaxScore <= 10; passMaxScore += 1) {
    await nextTurn();
    scores.push({ passMaxScore, ...failingUnder({ ...fitted, passMaxScore }, judged, categories) });
  }
  return {
    texts: judged.length,
    categories: fits,
    failing: { before, after },
    scores,
    policy: next,
    fitted: thresholds.map(([category]) => category),
  };
}

/** Changes nothing else. */
export function withThresholds(fields: PolicyFields, thresholds: ReadonlyMap<LabelCategory, number>): PolicyFields {
  if (thresholds.size === 0) return fields;
  const rules = [...thresholds].map(
    ([category, threshold]) => [category, { ...fields.categories?.[category], threshold }] as const,
  );
  return { ...fields, categories: { ...fields.categories, ...Object.fromEntries(rules) } };
}

/** Those that fail a text. */
export function failingCategories({ categories }: VerdictPolicy): LabelCategory[] {
  return LABEL_CATEGORIES.filter((category) => failsText(categories[category]));
}

function categoryFit(
  category: LabelCategory,
  judged: readonly AnalyzedText[],
  policy: VerdictPolicy,
  wanted: number,
): CategoryFit {
  const label = labelOf(category);
  const told = tellingAll(policy);
  const labelled = judged.flatMap(({ truth, analysis }) => {
    const isSo = truth.get(category);
    if (isSo === undefined) return [];
    const probability = analysis.probabilities.labels.get(label);
    if (probability === undefined)
      throw new StoreRefusal('invalid', `The model does not know the category ${category}.`);
    return [{ probability, labelled: isSo, detected: analysis.under(told).verdict.categories.includes(category) }];
  });
  return {
    category,
    action: policy.categories[category].action,
    unlabelled: judged.length - labelled.length,
    before: detectionOf(labelled),
    after: fitThreshold(labelled, wanted),
  };
}

function labelOf(category: LabelCategory): Label {
  const label = LABELS.find((each) => CATEGORY_OF_LABEL[each] === category);
  if (label === undefined) throw new RangeError(`no label has the category ${category}`);
  return label;
}

/** A category that is ignored is detected all the same. */
function tellingAll(policy: VerdictPolicy): VerdictPolicy {
  return {
    ...policy,
    categories: perCategory((category) => ({ ...policy.categories[category], action: 'report' as const })),
  };
}

/** A text that is said to be nothing but of which some labels say nothing is left out. */
function failingUnder(
  policy: VerdictPolicy,
  judged: readonly AnalyzedText[],
  categories: readonly LabelCategory[],
): Detection {
  return detectionOf(
    judged.flatMap(({ truth, shouldFail, analysis }) => {
      const labelled = shouldFail ?? [...truth.values()].includes(true);
      if (!labelled && shouldFail === undefined && truth.size < categories.length) return [];
      return [{ detected: !analysis.under(policy).verdict.passed, labelled }];
    }),
  );
}
