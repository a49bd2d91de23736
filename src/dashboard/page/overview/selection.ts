/** What of the counts is shown: the period, and by name what they are filtered by. It stands in the address. */
import { DIMENSIONS, PERIODS, type Dimension, type Period } from '../../routes/overview/overview-names.js';
import { addressOf } from '../shared/router.js';
import { languageOf, plainOf } from '../shared/words.js';

export interface Selection {
  readonly period: Period;
  readonly filters: readonly (readonly [Dimension, string])[];
  /** As the API takes it. */
  readonly query: string;
}

const DEFAULT: Period = '24h';

export function selectionIn(query: URLSearchParams): Selection {
  const period = PERIODS.find((each) => each === query.get('period')) ?? DEFAULT;
  const filters = DIMENSIONS.flatMap((dimension) => {
    const value = query.get(dimension);
    return value === null || value === '' ? [] : [[dimension, value] as const];
  });
  return {
    period,
    filters,
    query: String(new URLSearchParams([['period', period], ...filters.map((each) => [...each])])),
  };
}

/** The address of the overview with another period or filter; undefined takes a filter out. */
export function withChange(query: URLSearchParams, name: Dimension | 'period', value: string | undefined): string {
  const changed = new URLSearchParams(query);
  if (value === undefined || (name === 'period' && value === DEFAULT)) changed.delete(name);
  else changed.set(name, value);
  return addressOf('/dashboard', changed);
}

/** Of the value of a filter, or of a row that cannot be one. @param name of a project or a key */
export function valueInWords(dimension: Dimension, value: string | null, name: string): string {
  if (value === null)
    return ['project', 'key'].includes(dimension) ? 'no valid key, or not told apart' : 'not told apart';
  if (dimension === 'language') return languageOf(value);
  if (dimension === 'category') return plainOf(value);
  return name === '' ? value : name;
}
