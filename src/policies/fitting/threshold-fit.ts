/** The threshold of one category for a wanted share of false alarms, and what it does. Pure; knows no policies. */
import { z } from 'zod';
import { shareInterval } from './share-interval.js';

export interface LabelledProbability {
  readonly probability: number;
  /** Whether the text is labelled so. */
  readonly labelled: boolean;
}

const count = z.int().min(0);
/** Of 100 such samples 95 have the share in the long run within the interval. */
const shareSchema = z.object({
  count,
  of: count,
  share: z.number().min(0).max(1).nullable().meta({ description: 'Null of none.' }),
  interval: z.tuple([z.number(), z.number()]).nullable().meta({ description: 'Of 95 %.' }),
});
export type Share = z.output<typeof shareSchema>;

/** False alarms among the texts that are not labelled so, and what is found of those that are. */
export const detectionSchema = z.object({ falseAlarms: shareSchema, found: shareSchema });
export type Detection = z.output<typeof detectionSchema>;

/** No threshold has so few false alarms where a text that is not labelled has the highest probability that there is. */
export const thresholdFitSchema = detectionSchema.extend({
  threshold: z.number().min(0).max(1).nullable().meta({ description: 'Null where none has so few false alarms.' }),
  doubts: z
    .array(z.enum(['too few harmless texts', 'too few labelled texts']))
    .meta({ description: 'Why one cannot tell.' }),
});
export type ThresholdFit = z.output<typeof thresholdFitSchema>;

/** More false alarms than so many times those that were wanted are a broken promise, ... */
const MOST_TIMES = 2;
/** ... and of what is found nothing is known where the interval is wider. */
const WIDEST = 0.4;

/** @param wanted the highest share of false alarms, above 0 and at most 0.5 */
export function fitThreshold(texts: readonly LabelledProbability[], wanted: number): ThresholdFit {
  const threshold = lowestThreshold(texts, wanted);
  const detection = detectionOf(
    texts.map(({ probability, labelled }) => ({ detected: threshold !== null && probability >= threshold, labelled })),
  );
  return { ...detection, threshold, doubts: doubtsOf(detection, wanted) };
}

export function detectionOf(texts: readonly { readonly detected: boolean; readonly labelled: boolean }[]): Detection {
  const shareOf = (labelled: boolean): Share => {
    const those = texts.filter((text) => text.labelled === labelled);
    const count = those.filter(({ detected }) => detected).length;
    const of = those.length;
    return { count, of, share: of === 0 ? null : count / of, interval: of === 0 ? null : shareInterval(count, of) };
  };
  return { falseAlarms: shareOf(false), found: shareOf(true) };
}

function lowestThreshold(texts: readonly LabelledProbability[], wanted: number): number | null {
  const harmless = texts.filter(({ labelled }) => !labelled).map(({ probability }) => probability);
  const allowed = Math.floor(wanted * harmless.length + 1e-9);
  const barred = Float64Array.from(harmless)
    .sort()
    .at(-1 - allowed);
  if (barred === undefined || barred >= 1) return null;
  const next = texts.reduce(
    (least, { probability }) => (probability > barred ? Math.min(least, probability) : least),
    1,
  );
  return roundestIn(barred, next);
}

/** The number of the fewest decimals that is above the one and at most the other: all of them detect the same texts. */
function roundestIn(above: number, most: number): number {
  for (const scale of [1e2, 1e3, 1e4, 1e5, 1e6]) {
    const rounded = (Math.floor(above * scale) + 1) / scale;
    if (rounded > above && rounded <= most) return rounded;
  }
  return most;
}

function doubtsOf({ falseAlarms, found }: Detection, wanted: number): ThresholdFit['doubts'] {
  const [, most = 1] = falseAlarms.interval ?? [];
  const [low = 0, high = 1] = found.interval ?? [];
  return [
    ...(most > MOST_TIMES * wanted ? (['too few harmless texts'] as const) : []),
    ...(high - low > WIDEST ? (['too few labelled texts'] as const) : []),
  ];
}
