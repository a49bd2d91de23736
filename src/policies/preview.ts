/** Says what a policy would change in the verdicts on given texts, against the one in force. Stores nothing. */
import { z } from 'zod';
import type { Analysis, Analyzer, AnalyzeOptions } from '../moderation/analyzer.js';
import { CATEGORIES, type Category } from '../moderation/categories.js';
import type { VerdictPolicy } from '../moderation/verdict-policy.js';
import { createConcurrencyLimit } from '../threads/concurrency-limit.js';
import type { PreviewText } from './preview-texts.js';

const outcomeSchema = z.object({
  passed: z.boolean(),
  categories: z.array(z.enum(CATEGORIES)),
  description: z.string(),
});

/** The score is the same under every policy. */
const changedTextSchema = z.object({
  row: z.int().min(1),
  decisionId: z.string().optional().meta({ description: 'Of a text that was kept with it.' }),
  text: z.string(),
  change: z.enum(['now fails', 'now passes', 'other categories']),
  score: z.int().min(0).max(10),
  before: outcomeSchema,
  after: outcomeSchema,
});
type ChangedText = z.output<typeof changedTextSchema>;
export type PreviewChange = ChangedText['change'];

const count = z.int().min(0);
/** The largest changes first: those of the outcome, and of them the ones that the score speaks most against. */
export const previewSchema = z.object({
  texts: count,
  failedBefore: count,
  failedAfter: count,
  nowFail: count,
  nowPass: count,
  otherCategories: count,
  changed: z.array(changedTextSchema),
});
export type Preview = z.output<typeof previewSchema>;

export interface PreviewRequest {
  readonly analyzer: Pick<Analyzer, 'analyze'>;
  readonly texts: readonly PreviewText[];
  readonly before: VerdictPolicy;
  readonly after: VerdictPolicy;
  readonly caller?: Omit<AnalyzeOptions, 'policy'>;
  /** Texts that are with the model at once. */
  readonly concurrency: number;
}

/** Each text is read once, and twice where the policies differ in terms. @throws ServiceError when the model cannot answer */
export async function previewPolicy(request: PreviewRequest): Promise<Preview> {
  const { texts, concurrency } = request;
  const compared = await createConcurrencyLimit(concurrency).each(texts, (text) => comparedText(text, request));
  const changed = compared
    .flatMap((each) => changeOf(each))
    .sort((one, other) => sizeOf(other) - sizeOf(one) || one.row - other.row);
  const count = (change: PreviewChange): number => changed.filter((each) => each.change === change).length;
  return {
    texts: texts.length,
    failedBefore: compared.filter(({ before }) => !before.verdict.passed).length,
    failedAfter: compared.filter(({ after }) => !after.verdict.passed).length,
    nowFail: count('now fails'),
    nowPass: count('now passes'),
    otherCategories: count('other categories'),
    changed,
  };
}

interface Compared extends PreviewText {
  readonly before: Analysis;
  readonly after: Analysis;
}

async function comparedText(text: PreviewText, request: PreviewRequest): Promise<Compared> {
  const { analyzer, caller } = request;
  const before = await analyzer.analyze(text.text, { ...caller, policy: request.before });
  const after =
    request.before.terms?.digest === request.after.terms?.digest
      ? before.under(request.after)
      : await analyzer.analyze(text.text, { ...caller, policy: request.after });
  return { ...text, before, after };
}

function changeOf({ before, after, ...text }: Compared): ChangedText[] {
  const [was, is] = [before.verdict, after.verdict];
  const differs = differing(was.categories, is.categories) > 0;
  if (was.passed === is.passed && !differs) return [];
  const change = was.passed === is.passed ? 'other categories' : is.passed ? 'now passes' : 'now fails';
  return [{ ...text, change, score: is.score, before: outcomeOf(before), after: outcomeOf(after) }];
}

function outcomeOf({ verdict: { passed, categories, description } }: Analysis): ChangedText['before'] {
  return { passed, categories: [...categories], description };
}

/** Above all changes of categories alone stand those of the outcome: 100 to 110. */
function sizeOf({ change, score, before, after }: ChangedText): number {
  if (change === 'other categories') return differing(before.categories, after.categories);
  return 100 + (change === 'now passes' ? score : 10 - score);
}

function differing(one: readonly Category[], other: readonly Category[]): number {
  return one.filter((each) => !other.includes(each)).length + other.filter((each) => !one.includes(each)).length;
}
