/** What fitted thresholds are asked for with, what the answer says in words, and what the policy becomes with them. Pure. */
import type { LabelCategory } from '../../../moderation/categories.js';
import { harmlessTextsNeeded } from '../../../policies/fitting/share-interval.js';
import type { PolicyFields } from '../../../policies/policy-schema.js';
import type { FitResponse } from '../../routes/policy-schemas.js';
import { labelOf, numberOf, percentOf } from '../shared/words.js';
import { withRule } from './policy-fields.js';

type Share = FitResponse['failing']['before']['found'];

/** A file and what is chosen of it. An empty column is none. */
export interface CsvChoice {
  readonly csv: string;
  readonly textColumn: string;
  /** The column of all categories that have none of their own. */
  readonly labelColumn: string;
  readonly labelColumns: ReadonlyMap<LabelCategory, string>;
  /** The label of texts that are so. */
  readonly positive: string;
}

/** @param source the labels of the project, or a file */
export function fitBodyOf(source: 'labels' | CsvChoice, falseAlarmsPercent: number): object {
  const falseAlarms = falseAlarmsPercent / 100;
  if (source === 'labels') return { labels: true, falseAlarms };
  const { csv, textColumn, labelColumn, labelColumns, positive } = source;
  const own = [...labelColumns].filter(([, column]) => column !== '');
  return {
    csv,
    labelColumns: Object.fromEntries(own),
    falseAlarms,
    ...(textColumn !== '' && { textColumn }),
    ...(labelColumn !== '' && { labelColumn }),
    ...(positive !== '' && { positive }),
  };
}

/** Only the thresholds of which the texts can tell; whatever else was changed since the fit stays. */
export function withFitted(policy: PolicyFields, { categories, fitted }: FitResponse): PolicyFields {
  return categories.reduce(
    (changed, { category, after: { threshold } }) =>
      threshold === null || !fitted.includes(category) ? changed : withRule(changed, category, { threshold }),
    policy,
  );
}

/** With all of its decimals, since a threshold may lie close to 0 or 1: "99.87 %". */
export function thresholdInWords(threshold: number | null | undefined, missing: string): string {
  return typeof threshold === 'number' ? `${Number((threshold * 100).toFixed(4))} %` : missing;
}

/** "12 of 800: 1.5 % (0.8 % to 2.6 %)". */
export function shareInWords({ count, of, share, interval }: Share): string {
  if (share === null || interval === null) return 'no text';
  return `${numberOf(count)} of ${numberOf(of)}: ${percentOf(share)} (${interval.map(percentOf).join(' to ')})`;
}

/** Whether any text says that it is so, or that it is not. */
export const isTold = ({ after: { found, falseAlarms } }: FitResponse['categories'][number]): boolean =>
  found.of + falseAlarms.of > 0;

/** Why one cannot tell, a sentence each. */
export function doubtsInWords({ categories, falseAlarms: wanted }: FitResponse): string[] {
  const untold = categories.filter((each) => !isTold(each)).map(({ category }) => labelOf(category));
  const doubts = categories
    .filter(isTold)
    .flatMap(({ category, unlabelled, after: { threshold, doubts, found, falseAlarms } }) => {
      const name = labelOf(category);
      const needed = numberOf(harmlessTextsNeeded(wanted));
      return [
        ...(unlabelled > 0
          ? [`${name}: left out ${numberOf(unlabelled)} texts whose label says neither yes nor no.`]
          : []),
        ...(doubts.includes('too few harmless texts')
          ? [
              `${name}: too few texts that are not labelled so to tell: ${numberOf(falseAlarms.of)}, and about ${needed} are needed. Its threshold stays.`,
            ]
          : []),
        ...(threshold === null && falseAlarms.of > 0
          ? [`${name}: no threshold has so few false alarms. The present one stays.`]
          : []),
        ...(doubts.includes('too few labelled texts')
          ? [`${name}: too few texts that are labelled so to tell what is found: ${numberOf(found.of)}.`]
          : []),
      ];
    });
  return untold.length === 0
    ? doubts
    : [...doubts, `No label says anything of: ${untold.join(', ')}. What is not told stays as it is.`];
}
