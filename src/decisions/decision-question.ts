/** What a search of decisions asks of the database: one filter chooses the index, and the rest is looked for in what that gives. Pure. */
import { CATEGORIES, type Category } from '../moderation/categories.js';
import type { SqlValue } from '../storage/sql/sql-database.js';
import { firstIdAt } from './decision-record.js';

export interface DecisionFilter {
  /** Milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Not itself. */
  readonly to?: number | undefined;
  readonly passed?: boolean | undefined;
  readonly category?: Category | undefined;
  readonly language?: string | undefined;
  readonly minScore?: number | undefined;
  readonly maxScore?: number | undefined;
  readonly door?: string | undefined;
  readonly reference?: string | undefined;
  readonly requestId?: string | undefined;
  readonly review?: string | undefined;
}

/** As in the conditions of the indexes. */
const MODERATE = 4;
const SEVERE = 7;

interface Question {
  /** Conditions that an index of 0004-decisions.sql answers in the order of ids. */
  readonly candidates: string;
  /** What is then looked for among them; empty for nothing. */
  readonly rest: string;
  readonly values: readonly SqlValue[];
  readonly candidateValues: readonly SqlValue[];
}

/** SQL up to where its value stands, if it has one. */
type Condition = readonly [sql: string, value?: SqlValue];

/**
 * One of the filters, the one that is likely to leave least, chooses the index; the others are held against what it finds. Without that a search for
 * something rare would read all decisions.
 */
export function questionOf(projectId: string, filter: DecisionFilter, before: string | undefined): Question {
  const { from, to, reference, requestId, category, minScore = 0, maxScore, language, passed, review, door } = filter;
  const range: Condition[] = [['project_id = ', projectId]];
  if (from !== undefined) range.push(['id >= ', firstIdAt(from)]);
  if (to !== undefined) range.push(['id < ', firstIdAt(to)]);
  if (before !== undefined) range.push(['id < ', before]);

  const indexed: Condition[] = [];
  if (reference !== undefined) indexed.push(['reference = ', reference]);
  if (review !== undefined) indexed.push(['review = ', review]);
  // Literals, as in the conditions of the indexes; a category is one of ours.
  if (category !== undefined && CATEGORIES.includes(category)) indexed.push([`categories like '%"${category}"%'`]);
  if (minScore >= SEVERE) indexed.push([`score >= ${SEVERE}`]);
  else if (minScore >= MODERATE) indexed.push([`score >= ${MODERATE}`]);
  if (language !== undefined) indexed.push(['language = ', language]);
  if (passed === false) indexed.push(['passed = 0']);

  const others: Condition[] = [];
  if (minScore > 0 && minScore !== MODERATE && minScore !== SEVERE) others.push(['score >= ', minScore]);
  if (maxScore !== undefined) others.push(['score <= ', maxScore]);
  if (passed === true) others.push(['passed = 1']);
  if (door !== undefined) others.push(['door = ', door]);

  // That of requests knows no project: with both, SQLite would take that of the project.
  const candidates: Condition[] =
    requestId === undefined ? [...range, ...indexed.slice(0, 1)] : [['request_id = ', requestId]];
  const rest = requestId === undefined ? [...indexed.slice(1), ...others] : [...range, ...indexed, ...others];
  const values: SqlValue[] = [];
  const written = (conditions: readonly Condition[]): string =>
    conditions.map(([sql, value]) => (value === undefined ? sql : `${sql}$${values.push(value)}`)).join(' and ');
  const ofCandidates = written(candidates);
  const candidateValues = [...values];
  return { candidates: ofCandidates, rest: written(rest), values, candidateValues };
}
