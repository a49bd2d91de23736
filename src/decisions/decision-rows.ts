/** Decisions as rows of `parapet.decision`, there and back. */
import type { Category } from '../moderation/categories.js';
import type { SqlValue } from '../storage/sql/sql-database.js';
import type { Decision } from './decision-record.js';

const COLUMNS = [
  'id',
  'project_id',
  'key_id',
  'at',
  'request_id',
  'reference',
  'door',
  'passed',
  'score',
  'categories',
  'language',
  'policy_version',
  'delete_at',
  'review',
  'doubt',
] as const;
/** All but texts. */
export const LISTED = COLUMNS.join(', ');
export const ALL = `${LISTED}, content`;

export interface DecisionRow {
  readonly id: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly at: number;
  readonly requestId: string;
  readonly reference: string | null;
  readonly door: string;
  readonly passed: number;
  readonly score: number;
  readonly categories: string;
  readonly language: string | null;
  readonly policyVersion: number | null;
  readonly deleteAt: number;
  readonly review: string | null;
  readonly doubt: number | null;
  readonly content?: Uint8Array | null;
}

export function insertOf(rows: number): string {
  const width = COLUMNS.length + 1;
  const row = (index: number): string =>
    `(${Array.from({ length: width }, (_, column) => `$${index * width + column + 1}`).join(', ')})`;
  return `insert into parapet.decision (${ALL}) values ${Array.from({ length: rows }, (_, index) => row(index)).join(', ')}`;
}

export function valuesOf(decision: Decision): SqlValue[] {
  return [
    decision.id,
    decision.projectId,
    decision.keyId,
    decision.at,
    decision.requestId,
    decision.reference ?? null,
    decision.door,
    decision.passed ? 1 : 0,
    decision.score,
    JSON.stringify(decision.categories),
    decision.language ?? null,
    decision.policyVersion ?? null,
    decision.deleteAt,
    decision.review ?? null,
    decision.doubt ?? null,
    decision.content ?? null,
  ];
}

export function decisionOf(row: DecisionRow): Decision {
  return {
    ...row,
    reference: row.reference ?? undefined,
    passed: row.passed === 1,
    categories: JSON.parse(row.categories) as Category[],
    language: row.language ?? undefined,
    policyVersion: row.policyVersion ?? undefined,
    content: row.content ?? undefined,
    review: row.review ?? undefined,
    doubt: row.doubt ?? undefined,
  };
}
