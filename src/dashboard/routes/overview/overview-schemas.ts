/** What the overview is asked for and what it answers, as zod schemas. */
import { z } from 'zod';
import { CATEGORIES } from '../../../moderation/categories.js';
import { BANDS } from '../../../moderation/verdict.js';
import { DAY_MS, HOUR_MS } from '../../../durations.js';
import { usageSchema } from '../admin-schemas.js';
import { DIMENSIONS, PERIODS, type Period } from './overview-names.js';

const time = z.iso.datetime();
const count = z.int().min(0);

/** How long each is. */
export const PERIODS_MS = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
} as const satisfies Record<Period, number>;

const LONGEST_DAYS = 400;
const filter = z.string().min(1, 'must not be empty').max(200, 'is too long');

export const overviewQuery = z
  .object({
    period: z.enum(PERIODS, `must be one of ${PERIODS.join(', ')}`).default('24h'),
    from: time.optional().meta({ description: 'With `to` in place of a period.' }),
    to: time.optional(),
    project: filter.optional().meta({ description: 'Its id.' }),
    key: filter.optional().meta({ description: 'Its id.' }),
    door: filter.optional().meta({ description: 'The address of a route: /v1/analyze' }),
    language: filter.optional().meta({ description: 'A tag of BCP 47, or `other`.' }),
    category: z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`).optional(),
    band: z.enum(BANDS, `must be one of ${BANDS.join(', ')}`).optional(),
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), 'must have both from and to, or neither')
  .refine(
    ({ from, to }) => {
      if (from === undefined || to === undefined) return true;
      const lengthMs = Date.parse(to) - Date.parse(from);
      return lengthMs > 0 && lengthMs <= LONGEST_DAYS * DAY_MS;
    },
    { path: ['to'], error: `must come after from, by ${LONGEST_DAYS} days at most` },
  );
export type OverviewQuery = z.output<typeof overviewQuery>;

const ONLY_VERDICTS = 'Null where a language, a category or a band is chosen: only verdicts have one.';
const measured = usageSchema.extend({
  refused: count.nullable().meta({ description: ONLY_VERDICTS }),
  cacheHits: count.nullable().meta({ description: ONLY_VERDICTS }),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
});
export type Measured = z.output<typeof measured>;

const rowSchema = usageSchema.extend({
  value: z.string().nullable().meta({ description: 'Null for what was not told apart.' }),
  name: z.string().meta({ description: 'Of a project or a key; else the value.' }),
  refused: count.nullable(),
});
export type OverviewRow = z.output<typeof rowSchema>;

export const overviewResponse = z.object({
  from: time,
  to: time,
  stepMs: z.int().meta({ description: 'Of the series: 5 minutes, an hour, or a day of UTC.' }),
  total: measured,
  before: measured
    .nullable()
    .meta({ description: 'In the time before, of the same length; null where it is not kept that long.' }),
  series: z.array(
    measured.extend({
      start: time,
      before: usageSchema.nullable().meta({ description: 'As far into the time before.' }),
    }),
  ),
  breakdowns: z.record(z.enum(DIMENSIONS), z.array(rowSchema)).meta({ description: 'The largest first, 50 at most.' }),
  refusals: z.array(z.object({ code: z.string(), status: z.int(), requests: count })),
});
export type Overview = z.output<typeof overviewResponse>;

export const overviewCsv = z.string().meta({
  description: 'The series: start, requests, failed, refused, cached, median and 95 % latency.',
  contentMediaType: 'text/csv',
});
