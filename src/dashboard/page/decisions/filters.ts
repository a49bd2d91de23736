/** What is looked for, between the address of the page, its form and the question to the service. Pure. */
import { CATEGORIES } from '../../../moderation/categories.js';
import { addressOf } from '../shared/router.js';

/** As in the address; each may be missing. Days are those of this browser's clock. */
export const FILTERS = [
  'from',
  'to',
  'passed',
  'category',
  'minScore',
  'maxScore',
  'language',
  'reference',
  'requestId',
  'door',
  'review',
] as const;
export type Filter = (typeof FILTERS)[number];

export type Filters = Readonly<Partial<Record<Filter, string>>>;

export const SCORES = Array.from({ length: 11 }, (_, score) => String(score));

export function filtersIn(query: URLSearchParams): Filters {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = query.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** For the admin API. What it would refuse, because somebody wrote the address by hand, is left out. */
export function questionOf(projectId: string, filters: Filters): URLSearchParams {
  const { from, to, category, minScore, maxScore, passed, ...names } = filters;
  const question = new URLSearchParams({ projectId, ...names });
  const start = startOfDay(from);
  const end = startOfDay(to, 1);
  if (start !== undefined) question.set('from', start);
  if (end !== undefined) question.set('to', end);
  if (CATEGORIES.some((each) => each === category)) question.set('category', category ?? '');
  if (passed === 'true' || passed === 'false') question.set('passed', passed);
  if (SCORES.includes(minScore ?? '')) question.set('minScore', minScore ?? '');
  if (SCORES.includes(maxScore ?? '')) question.set('maxScore', maxScore ?? '');
  return question;
}

/** @param day as YYYY-MM-DD @param later by so many days: the end of a day is the start of the next */
function startOfDay(day: string | undefined, later = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}

/** @param decision to be opened; undefined for the list */
export function addressWith(projectId: string, filters: Filters, decision?: string): string {
  const query = new URLSearchParams({ project: projectId, ...filters, ...(decision !== undefined && { decision }) });
  return addressOf('/dashboard/decisions', query);
}
