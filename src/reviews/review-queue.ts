/** Which decision a reviewer gets next, and for how long. In SQL; one change after another over all servers. */
import { decisionOf, type DecisionRow } from '../decisions/decision-rows.js';
import type { Ask, SqlDatabase, SqlValue } from '../storage/sql/sql-database.js';
import type { DecisionToReview } from './review-record.js';

export interface Queue {
  /** Undefined: of all projects. */
  readonly projectId?: string | undefined;
  /** Decisions that whoever asks has already, or leaves to others. */
  readonly except?: readonly string[] | undefined;
}

/** @throws OperatorError, each method, where the database does not answer */
export interface ReviewQueue {
  /**
   * Takes the first one that nobody else has: appeals first, then the most doubtful, for a first or a second review. For CLAIM_MS it is this
   * reviewer's.
   */
  next(reviewer: string, queue: Queue): Promise<DecisionToReview | undefined>;
  /** Gives back what the reviewer has not judged. */
  release(reviewer: string, ids: readonly string[]): Promise<void>;
  /** How many wait that this reviewer may judge, counted up to MOST_COUNTED. */
  waiting(reviewer: string, projectId?: string): Promise<number>;
  /** Gives one to this reviewer, whoever has it. @returns undefined where it is gone */
  claim(ask: Ask, id: string, reviewer: string): Promise<DecisionToReview | undefined>;
}

export const CLAIM_MS = 5 * 60_000;
export const MOST_COUNTED = 1000;
/** Two states in which a decision waits, each with indexes of its own. */
const OPEN = "review = 'open'";
const secondFor = (reviewer: string): string => `first_reviewer is not null and first_reviewer <> ${reviewer}`;

export interface ClaimedRow extends DecisionRow {
  readonly claimedBy: string | null;
  readonly claimedUntil: number | null;
  /** Of a decision that waits for a second review. */
  readonly firstReviewer: string | null;
}

export function createReviewQueue(database: SqlDatabase, now: () => Date): ReviewQueue {
  const change = <Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> => database.change(work, 'reviews');

  async function claim(ask: Ask, id: string, reviewer: string): Promise<DecisionToReview | undefined> {
    const [row] = await ask<ClaimedRow>(
      `update parapet.decision set claimed_by = $2, claimed_until = $3 where id = $1 returning *`,
      [id, reviewer, now().getTime() + CLAIM_MS],
    );
    if (row === undefined) return undefined;
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

  return {
    claim,

    next: (reviewer, { projectId, except = [] }) =>
      change(async (ask) => {
        const values: SqlValue[] = [now().getTime(), reviewer];
        const place = (value: SqlValue): string => `$${values.push(value)}`;
        const conditions = [
          '(claimed_until is null or claimed_until <= $1 or claimed_by = $2)',
          ...(projectId === undefined ? [] : [`project_id = ${place(projectId)}`]),
          ...(except.length === 0 ? [] : [`id not in (${except.map(place).join(', ')})`]),
        ].join(' and ');
        const firstOf = (state: string): string =>
          `select * from (select id, doubt from parapet.decision where ${state} and ${conditions} order by doubt, id limit 1) as part`;
        for (;;) {
          const [first] = await ask<{ id: string }>(
            `${firstOf(OPEN)} union all ${firstOf(secondFor('$2'))} order by doubt, id limit 1`,
            values,
          );
          if (first === undefined) return undefined;
          // Another server may have deleted it meanwhile: then the question finds it no more.
          const claimed = await claim(ask, first.id, reviewer);
          if (claimed !== undefined) return claimed;
        }
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

    async waiting(reviewer, projectId) {
      const of = projectId === undefined ? '' : 'and project_id = $2';
      const firstOf = (state: string): string =>
        `select * from (select 1 as one from parapet.decision where ${state} ${of} limit ${MOST_COUNTED}) as part`;
      const [row] = await database.read<{ waiting: number }>(
        `select count(*) as waiting from (${firstOf(OPEN)} union all ${firstOf(secondFor('$1'))}) as whole`,
        projectId === undefined ? [reviewer] : [reviewer, projectId],
      );
      return Math.min(row?.waiting ?? 0, MOST_COUNTED);
    },
  };
}
