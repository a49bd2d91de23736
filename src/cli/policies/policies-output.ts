/** How policies are shown: the tables of the `policies` command. */
import type { ProjectRecord } from '../../keys/key-record.js';
import { LABEL_CATEGORIES } from '../../moderation/categories.js';
import type { KeepRule, PolicySettings } from '../../moderation/verdict-policy.js';
import type { PolicyFit } from '../../policies/fitting/fit-thresholds.js';
import { harmlessTextsNeeded } from '../../policies/fitting/share-interval.js';
import type { Detection, Share } from '../../policies/fitting/threshold-fit.js';
import type { PolicyHistory, StoredPolicy } from '../../policies/policy-repository.js';
import type { Preview, PreviewChange } from '../../policies/preview.js';
import { presetOf } from '../../policies/policy-rules.js';
import { resolveFields } from '../../policies/resolve-policy.js';
import { minuteOf, tableLines } from '../command.js';

/** Also members of the JSON output, in order. */
export interface PolicySummary {
  readonly project: string;
  readonly projectId: string;
  readonly preset: string;
  /** 0 where there is none. */
  readonly version: number;
  readonly at: string | null;
  readonly by: string | null;
}

export function summaryOf({ id, name }: ProjectRecord, { version, at, by, policy }: StoredPolicy): PolicySummary {
  return { project: name, projectId: id, preset: presetOf(policy), version, at, by };
}

export function overviewTable(summaries: readonly PolicySummary[]): string {
  if (summaries.length === 0) return 'There are no projects.\n';
  return tableLines([
    ['PROJECT', 'PRESET', 'VERSION', 'CHANGED', 'BY'],
    ...summaries.map(({ project, preset, version, at, by }) =>
      version === 0
        ? [project, preset, 'none', '', '']
        : [project, preset, String(version), at === null ? '' : minuteOf(at), by ?? ''],
    ),
  ]);
}

export function policyTable({ name }: ProjectRecord, stored: StoredPolicy, settings: PolicySettings): string {
  const { version, at, by, policy } = stored;
  const { passMaxScore, categories, unreadable, review, keep } = resolveFields(settings, policy);
  const [blocked, ignored] = [policy.blockedTerms?.length ?? 0, policy.ignoredTerms?.length ?? 0];
  return [
    version === 0
      ? `${name} has no policy: the settings of the service apply.\n`
      : `${name}: version ${version} of ${minuteOf(at ?? '')} by ${by ?? ''}, preset ${presetOf(policy)}.\n`,
    `${passMaxScore === 10 ? 'No score fails a text.' : `A score above ${passMaxScore} fails a text.`}\n`,
    `${keepInWords(keep)}\n`,
    `An unreadable text ${unreadable === 'fail' ? 'fails' : 'passes'}. Terms: ${blocked} ${policy.blockedTermsAction === 'mask' ? 'masked' : 'blocked'}, ${ignored} ignored.\n`,
    review?.scores === undefined
      ? ''
      : `Scores from ${review.scores.from} to ${review.scores.to} are to be reviewed.\n`,
    review?.secondReviews === undefined
      ? ''
      : `${percent(review.secondReviews)} of what a person judges is judged by a second one too.\n`,
    '\n',
    tableLines([
      ['CATEGORY', 'ACTION', 'THRESHOLD'],
      ...LABEL_CATEGORIES.map((category) => {
        const { action, threshold } = categories[category];
        return [category, action, threshold === undefined ? 'of the model' : String(threshold)];
      }),
    ]),
  ].join('');
}

function keepInWords(keep: KeepRule | undefined): string {
  if (keep === undefined) return 'Nothing is kept of its verdicts.';
  const { what, days, reference } = keep;
  const named = reference === undefined ? '' : `, with metadata.${reference} as the reference`;
  return `${what === 'texts' ? 'Verdicts and texts are' : 'Verdicts are'} kept for ${days} ${days === 1 ? 'day' : 'days'}${named}.`;
}

export function historyTable({ name }: ProjectRecord, { versions, oldest }: PolicyHistory): string {
  if (versions.length === 0) return `${name} has no policy.\n`;
  const rows = versions.map(({ version, at, by, restored, changed }) => {
    const what = changed === undefined ? 'not known any more' : changed.join(', ');
    return [String(version), minuteOf(at), by, restored === undefined ? what : `restored ${restored}: ${what}`];
  });
  const dropped = oldest === 0 ? '' : `The versions before ${oldest} were dropped.\n`;
  return `${tableLines([['VERSION', 'CHANGED', 'BY', 'WHAT'], ...rows])}${dropped}`;
}

const WORDING: Readonly<Record<PreviewChange, string>> = {
  'now fails': 'would fail',
  'now passes': 'would pass',
  'other categories': 'same outcome',
};
const MOST_SHOWN = 100;
const LONGEST_SHOWN = 60;

export function previewTable({ texts, failedBefore, failedAfter, nowFail, nowPass, ...rest }: Preview): string {
  const { otherCategories, changed } = rest;
  const counts = [
    `${texts} texts: ${failedBefore} fail under the policy in force, ${failedAfter} would fail.`,
    `${nowFail} that pass would fail, ${nowPass} that fail would pass, ${otherCategories} would have other categories.`,
  ];
  const rows = changed
    .slice(0, MOST_SHOWN)
    .map(({ change, score, row, before, after, text }) => [
      WORDING[change],
      `${score}`,
      `${row}`,
      `${before.categories.join(',') || '-'} > ${after.categories.join(',') || '-'}`,
      shown(text),
    ]);
  const more = changed.length > MOST_SHOWN ? `${changed.length - MOST_SHOWN} more with --json.\n` : '';
  const table = rows.length === 0 ? '' : `\n${tableLines([['CHANGE', 'SCORE', 'ROW', 'CATEGORIES', 'TEXT'], ...rows])}`;
  return `${counts.join('\n')}\n${table}${more}`;
}

/** On one line: control characters could repaint the terminal. */
function shown(text: string): string {
  const line = Array.from(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' '));
  return line.length <= LONGEST_SHOWN ? line.join('') : `${line.slice(0, LONGEST_SHOWN).join('')}…`;
}

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
  return `To set this, give --set, or: npx parapet policies set ${JSON.stringify(project.name)} ${flags.join(' ')}`;
}

function sharesOf({ falseAlarms, found }: Detection): [string, string] {
  return [shareShown(falseAlarms), shareShown(found)];
}

function shareShown({ count, of, share, interval }: Share): string {
  if (share === null || interval === null) return 'no text';
  return `${count} of ${of}: ${percent(share)} (${interval.map((end) => (end * 100).toFixed(1)).join('-')})`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
