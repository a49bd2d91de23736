/** How far the first and the second review of the same decisions agree, of those that are kept. What was taken back counts for nothing. */
import { z } from 'zod';
import { CATEGORIES, LABEL_CATEGORIES } from '../moderation/categories.js';
import type { SqlDatabase } from '../storage/sql/sql-database.js';
import { kappaOf, type AnswerPairs } from './kappa.js';
import { categoriesIn } from './review-rows.js';

/** On a question of yes or no. */
const answerAgreementSchema = z.object({
  agreeing: z.int().min(0).meta({ description: 'How many pairs say the same.' }),
  kappa: z
    .object({
      value: z.number().min(-1).max(1),
      interval: z.tuple([z.number(), z.number()]).meta({ description: 'Of 95 %.' }),
    })
    .nullable()
    .meta({ description: "Cohen's kappa. Null where there is no pair, or all say the same of all." }),
});
export type AnswerAgreement = z.output<typeof answerAgreementSchema>;

const answersSchema = z.object({ shouldPass: z.boolean(), categories: z.array(z.enum(CATEGORIES)) });
export type Answers = z.output<typeof answersSchema>;

export const agreementSchema = z.object({
  pairs: z.int().min(0).meta({ description: 'How many decisions two people judged.' }),
  passing: answerAgreementSchema.meta({ description: 'On whether the text should pass.' }),
  categories: z.array(answerAgreementSchema.extend({ category: z.enum(LABEL_CATEGORIES) })),
  differing: z
    .array(z.object({ decisionId: z.string(), first: answersSchema, second: answersSchema }))
    .meta({ description: 'The latest of which the second one said something else.' }),
});
export type Agreement = z.output<typeof agreementSchema>;

interface PairRow {
  readonly firstPasses: number;
  readonly secondPasses: number;
  readonly firstCategories: string;
  readonly secondCategories: string;
}

const MOST_DIFFERING = 20;
const PAIRS = `parapet.review as later join parapet.review as earlier
    on earlier.decision_id = later.decision_id and earlier.sequence < later.sequence
  where later.project_id = $1 and later.undone = 0 and earlier.undone = 0 and later.appeal_id is null and earlier.appeal_id is null`;
const ANSWERS = `earlier.should_pass as first_passes, later.should_pass as second_passes,
  earlier.categories as first_categories, later.categories as second_categories`;

/** @throws OperatorError where the database does not answer */
export async function agreementOf({ read }: Pick<SqlDatabase, 'read'>, projectId: string): Promise<Agreement> {
  const counted = await read<PairRow & { readonly pairs: number }>(
    `select ${ANSWERS}, count(*) as pairs from ${PAIRS}
     group by earlier.should_pass, later.should_pass, earlier.categories, later.categories`,
    [projectId],
  );
  const differing = await read<PairRow & { readonly decisionId: string }>(
    `select later.decision_id, ${ANSWERS} from ${PAIRS}
       and (earlier.should_pass <> later.should_pass or earlier.categories <> later.categories)
     order by later.sequence desc limit ${MOST_DIFFERING}`,
    [projectId],
  );
  const answered = counted.map((row) => ({ ...answersIn(row), pairs: row.pairs }));
  const agreementOn = (isYes: (answers: Answers) => boolean): AnswerAgreement => {
    const count = (first: boolean, second: boolean): number =>
      answered
        .filter((pair) => isYes(pair.first) === first && isYes(pair.second) === second)
        .reduce((sum, { pairs }) => sum + pairs, 0);
    const pairs: AnswerPairs = {
      bothYes: count(true, true),
      firstAlone: count(true, false),
      secondAlone: count(false, true),
      bothNo: count(false, false),
    };
    return { agreeing: pairs.bothYes + pairs.bothNo, kappa: kappaOf(pairs) ?? null };
  };
  return {
    pairs: answered.reduce((sum, { pairs }) => sum + pairs, 0),
    passing: agreementOn(({ shouldPass }) => shouldPass),
    categories: LABEL_CATEGORIES.map((category) => ({
      category,
      ...agreementOn(({ categories }) => categories.includes(category)),
    })),
    differing: differing.map((row) => ({ decisionId: row.decisionId, ...answersIn(row) })),
  };
}

function answersIn(row: PairRow): { first: Answers; second: Answers } {
  return {
    first: { shouldPass: row.firstPasses === 1, categories: categoriesIn(row.firstCategories) },
    second: { shouldPass: row.secondPasses === 1, categories: categoriesIn(row.secondCategories) },
  };
}
