/** How fitted thresholds are shown: the table of `policies fit`. */
import type { ProjectRecord } from '../../keys/key-record.js';
import type { PolicyFit } from '../../policies/fitting/fit-thresholds.js';
import { harmlessTextsNeeded, type Detection, type Share } from '../../policies/fitting/threshold-fit.js';
import { tableLines } from '../table.js';

interface ShownFit extends PolicyFit {
  readonly falseAlarms: number;
  readonly leftOut: number;
  readonly project: ProjectRecord;
  readonly isToSet: boolean;
}

export function fitTable(fit: ShownFit): string {
  const { categories, texts, leftOut, falseAlarms, failing } = fit;
  const left = leftOut === 0 ? '' : `, ${leftOut} left out (blank or too long)`;
  const rows = categories.flatMap(({ category, action, before, after: { threshold, ...after } }) => [
    [category, action, 'now', '', ...sharesOf(before)],
    ['', '', 'fitted', threshold === null ? 'none' : String(threshold), ...sharesOf(after)],
  ]);
  return [
    `${texts} texts${left}; thresholds for at most ${percent(falseAlarms)} of false alarms each.\n\n`,
    tableLines([['CATEGORY', 'ACTION', '', 'THRESHOLD', 'FALSE ALARMS (95 %)', 'FOUND (95 %)'], ...rows]),
    ...doubtsOf(fit).map((doubt) => `${doubt}\n`),
    '\nWhat fails, for whatever reason, of the texts without a label and of those with one:\n',
    tableLines([
      ['', 'WITHOUT (95 %)', 'WITH (95 %)'],
      ['now', ...sharesOf(failing.before)],
      ['fitted', ...sharesOf(failing.after)],
    ]),
    ...(fit.isToSet ? [] : [`\n${nextStep(fit)}\n`]),
  ].join('');
}

function doubtsOf({ categories, falseAlarms }: ShownFit): string[] {
  return categories.flatMap(
    ({
      category,
      unlabelled,
      after: {
        threshold,
        doubts,
        found,
        falseAlarms: { of },
      },
    }) => [
      ...(unlabelled > 0
        ? [`${category}: ${unlabelled} texts have a label that says neither yes nor no (see --positive).`]
        : []),
      ...(doubts.includes('too few harmless texts')
        ? [
            `${category}: too few texts that are not labelled so to tell: ${of}, and about ${harmlessTextsNeeded(falseAlarms)} are needed.`,
          ]
        : []),
      ...(threshold === null && of > 0 ? [`${category}: no threshold has so few false alarms.`] : []),
      ...(doubts.includes('too few labelled texts')
        ? [`${category}: too few texts that are labelled so (${found.of}) to tell what is found.`]
        : []),
    ],
  );
}

function nextStep({ project, fitted, categories }: ShownFit): string {
  if (fitted.length === 0) return 'There is nothing to set.';
  const flags = categories
    .filter(({ category }) => fitted.includes(category))
    .map(({ category, after }) => `--category ${category}=:${after.threshold ?? ''}`);
  return `To set this, give --set, or: policies -- set ${JSON.stringify(project.name)} ${flags.join(' ')}`;
}

function sharesOf({ falseAlarms, found }: Detection): [string, string] {
  return [shown(falseAlarms), shown(found)];
}

function shown({ count, of, share, interval }: Share): string {
  if (share === null || interval === null) return 'no text';
  return `${count} of ${of}: ${percent(share)} (${interval.map((end) => (end * 100).toFixed(1)).join('-')})`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
