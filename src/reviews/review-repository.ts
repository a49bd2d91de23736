/**
 * Who looks at which decision, and what comes of it, in SQL. One change after another over all servers, so that nobody judges what somebody else does.
 * Neither encrypts nor decrypts.
 */
import { randomBytes } from 'node:crypto';
import { decisionOf, type DecisionRow } from '../decisions/decision-rows.js';
import { StoreRefusal } from '../errors.js';
import { CATEGORIES, type Category } from '../moderation/categories.js';
import type { Ask, SqlDatabase, SqlValue } from '../storage/sql/sql-database.js';
import {
  appealOutcomeOf,
  type Appeal,
  type DecisionToReview,
  type Judgement,
  type Review,
  type ReviewOutcome,
} from './review-record.js';

export interface Queue {
  /** Undefined: of all projects. */
  readonly projectId?: string | undefined;
  /** Decisions that whoever asks has already, or leaves to others. */
  readonly except?: readonly string[] | undefined;
}

/** @throws OperatorError, each method, where the database does not answer */
export interface Reviews {
  /** Takes the first one that nobody else has: appeals first, then the most doubtful. For CLAIM_MS it is this reviewer's. */
  next(reviewer: string, queue: Queue): Promise<DecisionToReview | undefined>;
  /** Gives back what the reviewer has not judged. */
  release(reviewer: string, ids: readonly string[]): Promise<void>;
  /** @throws StoreRefusal where it is not there, is judged already, or is somebody else's at the moment */
  judge(reviewer: string, id: string, judgement: Judgement): Promise<Review>;
  /** Takes back what the reviewer said last, who has the decision again. @throws StoreRefusal where there is nothing, or the decision was appealed since */
  undo(reviewer: string): Promise<DecisionToReview>;
  /** How many wait, counted up to MOST_COUNTED. */
  waiting(projectId?: string): Promise<number>;
  /** @throws StoreRefusal where the project has no such decision, or an appeal against it is open */
  appeal(projectId: string, decisionId: string, content: Uint8Array | undefined): Promise<Appeal>;
  /** In order, those after the number. */
  list(projectId: string, after: number, limit: number): Promise<Review[]>;
}

export const CLAIM_MS = 5 * 60_000;
export const MOST_COUNTED = 1000;
/** Below that of every decision that was not appealed: appeals come first. */
const DOUBT_OF_APPEALS = -1;

interface ClaimedRow extends DecisionRow {
  readonly claimedBy: string | null;
  readonly claimedUntil: number | null;
}

interface ReviewRow extends Record<string, SqlValue> {
  readonly sequence: number;
  readonly decisionId: string;
  readonly projectId: string;
  readonly at: number;
  readonly requestId: string;
  readonly reference: string | null;
  readonly outcome: ReviewOutcome;
  readonly passed: number;
  readonly shouldPass: number;
  readonly categories: string;
  readonly appealId: string | null;
}

/** @param onReviewed in the same transaction as the review */
export function createReviews(
  database: SqlDatabase,
  now: () => Date = () => new Date(),
  onReviewed: (ask: Ask, review: Review) => Promise<void> = () => Promise.resolve(),
): Reviews {
  const change = <Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> => database.change(work, 'reviews');

  async function claim(ask: Ask, id: string, reviewer: string): Promise<DecisionToReview> {
    const [row] = await ask<ClaimedRow>(
      `update parapet.decision set review = 'open', claimed_by = $2, claimed_until = $3 where id = $1 returning *`,
      [id, reviewer, now().getTime() + CLAIM_MS],
    );
    if (row === undefined) throw new Error('nothing was claimed');
    const [appeal] = await ask<{ id: string; at: number; content: Uint8Array | null }>(
      'select id, at, content from parapet.appeal where decision_id = $1 and outcome is null',
      [id],
    );
    return {
      ...decisionOf(row),
      claimedUntil: row.claimedUntil ?? 0,
      appeal: appeal && { ...appeal, content: appeal.content ?? undefined },
    };
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

  return {
    next: (reviewer, { projectId, except = [] }) =>
      change(async (ask) => {
        const values: SqlValue[] = [now().getTime(), reviewer];
        const place = (value: SqlValue): string => `$${values.push(value)}`;
        const conditions = [
          "review = 'open' and (claimed_until is null or claimed_until <= $1 or claimed_by = $2)",
          ...(projectId === undefined ? [] : [`project_id = ${place(projectId)}`]),
          ...(except.length === 0 ? [] : [`id not in (${except.map(place).join(', ')})`]),
        ];
        const [first] = await ask<{ id: string }>(
          `select id from parapet.decision where ${conditions.join(' and ')} order by doubt, id limit 1`,
          values,
        );
        return first && claim(ask, first.id, reviewer);
      }),

    release: (reviewer, ids) =>
      change(async (ask) => {
        for (const id of ids) {
          await ask(
            'update parapet.decision set claimed_by = null, claimed_until = null where id = $1 and claimed_by = $2',
            [id, reviewer],
          );
        }
      }),

    judge: (reviewer, id, { outcome, shouldPass, categories, note }) =>
      change(async (ask) => {
        const [row] = await ask<ClaimedRow>('select * from parapet.decision where id = $1', [id]);
        if (row === undefined) throw new StoreRefusal('unknown', 'There is no such decision any more.');
        if (row.review !== 'open') throw new StoreRefusal('conflict', 'Somebody has judged this decision already.');
        const isOthers = row.claimedBy !== null && row.claimedBy !== reviewer;
        if (isOthers && (row.claimedUntil ?? 0) > now().getTime()) {
          throw new StoreRefusal('conflict', 'Somebody else is judging this decision at the moment.');
        }
        const passed = row.passed === 1;
        const [appeal] = await ask<{ id: string }>(
          'select id from parapet.appeal where decision_id = $1 and outcome is null',
          [id],
        );
        const said = {
          decisionId: id,
          projectId: row.projectId,
          requestId: row.requestId,
          reference: row.reference ?? undefined,
          passed,
          outcome,
          shouldPass: outcome === 'right' ? passed : shouldPass,
          categories: outcome === 'right' ? categoriesIn(row.categories) : categories,
          appealId: appeal?.id,
        };
        await ask('update parapet.decision set review = $2, claimed_by = null, claimed_until = null where id = $1', [
          id,
          outcome,
        ]);
        if (appeal !== undefined) {
          await ask('update parapet.appeal set outcome = $2 where id = $1', [appeal.id, appealOutcomeOf(said) ?? null]);
        }
        return write(ask, said, reviewer, note);
      }),

    undo: (reviewer) =>
      change(async (ask) => {
        const [last] = await ask<ReviewRow & { readonly review: string | null; readonly latest: number }>(
          `select ${COLUMNS}, decision.review,
             (select max(sequence) from parapet.review as other where other.decision_id = review.decision_id) as latest
           from ${REVIEWS} where review.reviewer = $1 and undone = 0
           order by review.sequence desc limit 1`,
          [reviewer],
        );
        if (last === undefined) throw new StoreRefusal('unknown', 'There is nothing of yours to take back.');
        if (last.review === 'open' || last.latest !== last.sequence) {
          throw new StoreRefusal(
            'conflict',
            'An appeal was made since against what you decided last: it is looked at anew.',
          );
        }
        return takeBack(ask, reviewOf(last), reviewer);
      }),

    async waiting(projectId) {
      const [of, values] = projectId === undefined ? ['', []] : ['and project_id = $1', [projectId]];
      const [row] = await database.read<{ waiting: number }>(
        `select count(*) as waiting from
           (select 1 as one from parapet.decision where review = 'open' ${of} limit ${MOST_COUNTED}) as first`,
        values,
      );
      return row?.waiting ?? 0;
    },

    appeal: (projectId, decisionId, content) =>
      change(async (ask) => {
        const [row] = await ask<ClaimedRow>('select * from parapet.decision where id = $1 and project_id = $2', [
          decisionId,
          projectId,
        ]);
        if (row === undefined) {
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
        await ask(`update parapet.decision set review = 'open', doubt = ${DOUBT_OF_APPEALS} where id = $1`, [
          decisionId,
        ]);
        return appeal;
      }),

    async list(projectId, after, limit) {
      const rows = await database.read<ReviewRow>(
        `select ${COLUMNS} from ${REVIEWS} where review.project_id = $1 and review.sequence > $2
         order by review.sequence limit $3`,
        [projectId, after, limit],
      );
      return rows.map(reviewOf);
    },
  };

  async function takeBack(ask: Ask, review: Review, reviewer: string): Promise<DecisionToReview> {
    await ask('update parapet.review set undone = 1 where sequence = $1', [review.sequence]);
    if (review.appealId !== undefined) {
      await ask('update parapet.appeal set outcome = null where id = $1', [review.appealId]);
    }
    await write(ask, { ...review, outcome: 'undone' }, reviewer);
    return claim(ask, review.decisionId, reviewer);
  }
}

const REVIEWS = 'parapet.review as review join parapet.decision as decision on decision.id = review.decision_id';
const COLUMNS = `review.sequence, review.decision_id, review.project_id, review.at, review.outcome, review.should_pass,
  review.categories, review.appeal_id, decision.passed, decision.request_id, decision.reference`;

function reviewOf(row: ReviewRow): Review {
  return {
    sequence: row.sequence,
    decisionId: row.decisionId,
    projectId: row.projectId,
    at: row.at,
    requestId: row.requestId,
    reference: row.reference ?? undefined,
    outcome: row.outcome,
    passed: row.passed === 1,
    shouldPass: row.shouldPass === 1,
    categories: categoriesIn(row.categories),
    appealId: row.appealId ?? undefined,
  };
}

function categoriesIn(json: string): Category[] {
  const names = JSON.parse(json) as unknown;
  return Array.isArray(names) ? names.filter((name): name is Category => CATEGORIES.includes(name as Category)) : [];
}
