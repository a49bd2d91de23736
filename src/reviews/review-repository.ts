/**
 * What people say of decisions and of appeals, in SQL. One change after another over all servers, so that nobody judges what somebody else does.
 * Neither encrypts nor decrypts.
 */
import { randomBytes } from 'node:crypto';
import { StoreRefusal } from '../errors.js';
import { CATEGORIES } from '../moderation/categories.js';
import type { Ask, SqlDatabase } from '../storage/sql/sql-database.js';
import { wantsSecondReview } from './review-of.js';
import { createReviewQueue, type ClaimedRow, type ReviewQueue } from './review-queue.js';
import { appealOutcomeOf, type Appeal, type DecisionToReview, type Judgement, type Review } from './review-record.js';
import { categoriesIn, COLUMNS, reviewIn, REVIEWS, type ReviewRow } from './review-rows.js';

/** @throws OperatorError, each method, where the database does not answer */
export interface Reviews extends ReviewQueue {
  /**
   * What counts from then on. A first review of a decision that `wantsSecondReview` makes it wait for somebody else's.
   *
   * @throws StoreRefusal where it is not there, is judged already, or is somebody else's at the moment
   */
  judge(reviewer: string, id: string, judgement: Judgement): Promise<Review>;
  /**
   * Takes back what the reviewer said last, who has the decision again; after a second review the first one counts again.
   *
   * @throws StoreRefusal where there is nothing, or the decision was appealed or judged by somebody else since
   */
  undo(reviewer: string): Promise<DecisionToReview>;
  /** Takes the place of a second review. @throws StoreRefusal where the project has no such decision, or an appeal against it is open */
  appeal(projectId: string, decisionId: string, content: Uint8Array | undefined): Promise<Appeal>;
  /** In order, those after the number. */
  list(projectId: string, after: number, limit: number): Promise<Review[]>;
}

/** Below that of every decision that was not appealed: appeals come first. */
const DOUBT_OF_APPEALS = -1;

export interface ReviewsDeps {
  readonly database: SqlDatabase;
  readonly now?: (() => Date) | undefined;
  /** In the same transaction as the review. */
  readonly onReviewed?: (ask: Ask, review: Review) => Promise<void>;
  /** The share that the policy of a project has judged twice, from 0 to 1. What it throws, `judge` does. */
  readonly secondReviewsOf?: (projectId: string) => Promise<number>;
}

export function createReviews({
  database,
  now = () => new Date(),
  onReviewed = () => Promise.resolve(),
  secondReviewsOf = () => Promise.resolve(0),
}: ReviewsDeps): Reviews {
  const queue = createReviewQueue(database, now);
  const change = <Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> => database.change(work, 'reviews');

  /** @param state `open`, or what was said last, and who said it where a second person is to judge. Nobody has it then. */
  async function setState(
    ask: Ask,
    id: string,
    { review, firstReviewer }: { readonly review: string; readonly firstReviewer: string | null },
  ): Promise<void> {
    await ask(
      'update parapet.decision set review = $2, first_reviewer = $3, claimed_by = null, claimed_until = null where id = $1',
      [id, review, firstReviewer],
    );
  }

  async function write(
    ask: Ask,
    { passed, requestId, reference, ...review }: Omit<Review, 'sequence' | 'at'>,
    reviewer: string,
    note?: Uint8Array,
  ): Promise<Review> {
    const at = now().getTime();
    const [last] = await ask<{ sequence: number | null }>('select max(sequence) as sequence from parapet.review');
    const sequence = Math.max(at, (last?.sequence ?? 0) + 1);
    const written = { ...review, sequence, at, passed, requestId, reference };
    await ask(
      `insert into parapet.review
         (sequence, decision_id, project_id, at, reviewer, outcome, should_pass, categories, note, appeal_id, undone)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        sequence,
        review.decisionId,
        review.projectId,
        at,
        reviewer,
        review.outcome,
        review.shouldPass ? 1 : 0,
        JSON.stringify(review.categories),
        note ?? null,
        review.appealId ?? null,
        review.outcome === 'undone' ? 1 : 0,
      ],
    );
    await onReviewed(ask, written);
    return written;
  }

  /** Nobody deletes it until the change is done: a review or an appeal without its decision would be refused. */
  async function held(ask: Ask, id: string): Promise<ClaimedRow | undefined> {
    const [row] = await ask<ClaimedRow>('update parapet.decision set id = id where id = $1 returning *', [id]);
    return row;
  }

  return {
    ...queue,

    async judge(reviewer, id, { outcome, shouldPass, categories, note }) {
      const [decision] = await database.read<{ projectId: string }>(
        'select project_id from parapet.decision where id = $1',
        [id],
      );
      const share = decision === undefined ? 0 : await secondReviewsOf(decision.projectId);
      return change(async (ask) => {
        const row = await held(ask, id);
        if (row === undefined) throw gone();
        const isSecond = row.firstReviewer !== null && row.firstReviewer !== reviewer;
        if (row.review !== 'open' && !isSecond) {
          throw new StoreRefusal('conflict', 'Somebody has judged this decision already.');
        }
        const isOthers = row.claimedBy !== null && row.claimedBy !== reviewer;
        if (isOthers && (row.claimedUntil ?? 0) > now().getTime()) {
          throw new StoreRefusal('conflict', 'Somebody else is judging this decision at the moment.');
        }
        const passed = row.passed === 1;
        const [appeal] = await ask<{ id: string }>(
          'select id from parapet.appeal where decision_id = $1 and outcome is null',
          [id],
        );
        const names = outcome === 'right' ? categoriesIn(row.categories) : categories;
        const said = {
          decisionId: id,
          projectId: row.projectId,
          requestId: row.requestId,
          reference: row.reference ?? undefined,
          passed,
          outcome,
          shouldPass: outcome === 'right' ? passed : shouldPass,
          // In one order: two people who say the same are the same in the database.
          categories: CATEGORIES.filter((category) => names.includes(category)),
          appealId: appeal?.id,
        };
        const waits = !isSecond && appeal === undefined && wantsSecondReview(id, share);
        await setState(ask, id, { review: outcome, firstReviewer: waits ? reviewer : null });
        if (appeal !== undefined) {
          await ask('update parapet.appeal set outcome = $2 where id = $1', [appeal.id, appealOutcomeOf(said) ?? null]);
        }
        return write(ask, said, reviewer, note);
      });
    },

    undo: (reviewer) =>
      change(async (ask) => {
        const [last] = await ask<ReviewRow & { readonly review: string | null; readonly latest: number }>(
          `select ${COLUMNS}, decision.review,
             (select max(sequence) from parapet.review as other
                where other.decision_id = review.decision_id and other.undone = 0) as latest
           from ${REVIEWS} where review.reviewer = $1 and undone = 0
           order by review.sequence desc limit 1`,
          [reviewer],
        );
        if (last === undefined) throw new StoreRefusal('unknown', 'There is nothing of yours to take back.');
        if (last.review === 'open') {
          throw new StoreRefusal(
            'conflict',
            'An appeal was made since against what you decided last: it is looked at anew.',
          );
        }
        if (last.latest !== last.sequence) {
          throw new StoreRefusal('conflict', 'Somebody else has judged since what you decided last.');
        }
        if ((await held(ask, last.decisionId)) === undefined) throw gone();
        return takeBack(ask, reviewIn(last), reviewer);
      }),

    appeal: (projectId, decisionId, content) =>
      change(async (ask) => {
        const row = await held(ask, decisionId);
        if (row?.projectId !== projectId) {
          throw new StoreRefusal('unknown', 'There is no such decision: it was not kept, or is not kept any more.');
        }
        const open = await ask('select id from parapet.appeal where decision_id = $1 and outcome is null', [
          decisionId,
        ]);
        if (open.length > 0) throw new StoreRefusal('conflict', 'An appeal against this decision is open already.');
        const appeal = { id: `apl_${randomBytes(12).toString('base64url')}`, at: now().getTime(), content };
        await ask('insert into parapet.appeal (id, decision_id, project_id, at, content) values ($1, $2, $3, $4, $5)', [
          appeal.id,
          decisionId,
          projectId,
          appeal.at,
          content ?? null,
        ]);
        await ask(
          `update parapet.decision set review = 'open', first_reviewer = null, doubt = ${DOUBT_OF_APPEALS} where id = $1`,
          [decisionId],
        );
        return appeal;
      }),

    async list(projectId, after, limit) {
      const rows = await database.read<ReviewRow>(
        `select ${COLUMNS} from ${REVIEWS} where review.project_id = $1 and review.sequence > $2
         order by review.sequence limit $3`,
        [projectId, after, limit],
      );
      return rows.map(reviewIn);
    },
  };

  async function takeBack(ask: Ask, review: Review, reviewer: string): Promise<DecisionToReview> {
    await ask('update parapet.review set undone = 1 where sequence = $1', [review.sequence]);
    if (review.appealId !== undefined) {
      await ask('update parapet.appeal set outcome = null where id = $1', [review.appealId]);
    }
    const [before] = await ask<{ outcome: string; reviewer: string }>(
      'select outcome, reviewer from parapet.review where decision_id = $1 and undone = 0 order by sequence desc limit 1',
      [review.decisionId],
    );
    const wasSecond = before !== undefined && review.appealId === undefined;
    await setState(
      ask,
      review.decisionId,
      wasSecond ? { review: before.outcome, firstReviewer: before.reviewer } : { review: 'open', firstReviewer: null },
    );
    await write(ask, { ...review, outcome: 'undone' }, reviewer);
    const claimed = await queue.claim(ask, review.decisionId, reviewer);
    if (claimed === undefined) throw gone();
    return claimed;
  }
}

const gone = (): StoreRefusal => new StoreRefusal('unknown', 'There is no such decision any more.');
