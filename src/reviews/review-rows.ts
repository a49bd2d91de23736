/** Reviews as rows of `parapet.review`, each beside its decision. */
import { CATEGORIES, type Category } from '../moderation/categories.js';
import type { SqlValue } from '../storage/sql/sql-database.js';
import type { Review, ReviewOutcome } from './review-record.js';

export const REVIEWS = 'parapet.review as review join parapet.decision as decision on decision.id = review.decision_id';
export const COLUMNS = `review.sequence, review.decision_id, review.project_id, review.at, review.outcome, review.should_pass,
  review.categories, review.appeal_id, decision.passed, decision.request_id, decision.reference`;

export interface ReviewRow extends Record<string, SqlValue> {
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

export function reviewIn(row: ReviewRow): Review {
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

export function categoriesIn(json: string): Category[] {
  const names = JSON.parse(json) as unknown;
  return Array.isArray(names) ? names.filter((name): name is Category => CATEGORIES.includes(name as Category)) : [];
}
