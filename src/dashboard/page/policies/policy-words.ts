/** Words for policies: fields, actions, versions and who made them. */
import type {
  BlockedTermAction,
  CategoryAction,
  Kept,
  ReviewRule,
  UnreadableAction,
} from '../../../moderation/verdict-policy.js';
import type { PresetName } from '../../../policies/policy-schema.js';
import type { HistoryResponse } from '../../routes/policy-schemas.js';
import { labelOf, momentOf, numberOf, percentOf } from '../shared/words.js';

type Version = HistoryResponse['versions'][number];

export const ACTION_WORDS: Readonly<Record<CategoryAction, string>> = {
  fail: 'fails',
  mask: 'fails unless masked',
  review: 'passes, to be reviewed',
  report: 'is only reported',
  ignore: 'is ignored',
};

export const UNREADABLE_WORDS: Readonly<Record<UnreadableAction, string>> = { fail: 'fail', pass: 'pass' };

export const BLOCKED_TERMS_WORDS: Readonly<Record<BlockedTermAction, string>> = {
  fail: 'fails',
  mask: 'fails unless masked',
};

export const KEPT_WORDS: Readonly<Record<Kept, string>> = {
  none: 'nothing',
  verdicts: 'the verdict',
  texts: 'the verdict and the text, encrypted',
};

export const PRESET_WORDS: Readonly<Record<PresetName, string>> = {
  default: 'Default: the settings of the service',
  news: 'News: quotes and reports of what is bad',
  games: 'Games: banter',
  adults: 'Adults: swearing passes',
  children: 'Children: everything that is detected fails',
};

const FIELD_WORDS: ReadonlyMap<string, string> = new Map([
  ['preset', 'preset'],
  ['passMaxScore', 'highest score that passes'],
  ['unreadable', 'unreadable texts'],
  ['blockedTerms', 'terms that always fail'],
  ['blockedTermsAction', 'a text with a blocked term'],
  ['ignoredTerms', 'terms that never count'],
  ['keep', 'what is kept'],
  ['review', 'review'],
]);

/** Of a field as the API names it: `categories.self_harm` reads "self harm". */
export function fieldWords(field: string): string {
  return FIELD_WORDS.get(field) ?? labelOf(field.replace(/^categories\./, ''));
}

export const fieldsInWords = (fields: readonly string[]): string => fields.map(fieldWords).join(', ');

export const scoreInWords = (score: number): string => (score === 10 ? '10: the score fails nothing' : String(score));

/** "Version 3, Nov 27, 2026, 09:40, by the command line". */
export function versionInWords({ version, at, by }: Pick<Version, 'version' | 'at' | 'by'>): string {
  return `Version ${version}, ${momentOf(at)}, by ${editorInWords(by)}`;
}

export const editorInWords = (by: Version['by']): string =>
  by === 'command line' || by === 'dashboard' ? `the ${by}` : by;

/** What a version says of a field that it changed: "hate fails from 40 %". */
export function changeInWords(field: string, { policy, blockedTerms, ignoredTerms }: Version): string {
  const name = fieldWords(field);
  switch (field) {
    case 'preset':
      return `${name}: ${policy.preset ?? 'default'}`;
    case 'passMaxScore':
      return `${name}: ${policy.passMaxScore === undefined ? 'as the preset' : scoreInWords(policy.passMaxScore)}`;
    case 'unreadable':
      return `${name} ${policy.unreadable === undefined ? 'as the preset' : UNREADABLE_WORDS[policy.unreadable]}`;
    case 'blockedTermsAction':
      return `${name} ${BLOCKED_TERMS_WORDS[policy.blockedTermsAction ?? 'fail']}`;
    case 'blockedTerms':
      return `${name}: ${numberOf(blockedTerms)}`;
    case 'ignoredTerms':
      return `${name}: ${numberOf(ignoredTerms)}`;
    case 'keep':
      return `${name}: ${keepInWords(policy.keep)}`;
    case 'review':
      return `${name}: ${reviewInWords(policy.review)}`;
    default:
      return `${name} ${ruleInWords(policy, field)}`;
  }
}

function keepInWords(keep: Version['policy']['keep']): string {
  if (keep === undefined || keep.what === 'none') return KEPT_WORDS.none;
  return `${KEPT_WORDS[keep.what]}, ${keep.days ?? 0} days`;
}

export const secondReviewsInWords = (share: number): string => `${Number((share * 100).toFixed(2))} %`;

function reviewInWords({ scores, secondReviews }: ReviewRule = {}): string {
  const band = scores && (scores.from === scores.to ? `score ${scores.from}` : `scores ${scores.from} to ${scores.to}`);
  const share = secondReviews === undefined ? undefined : `${secondReviewsInWords(secondReviews)} by two people`;
  return [band, share].filter((words) => typeof words === 'string').join(', ') || 'by category alone';
}

function ruleInWords({ categories = {} }: Version['policy'], field: string): string {
  const rules = new Map(Object.entries(categories));
  const { action, threshold } = rules.get(field.replace(/^categories\./, '')) ?? {};
  if (action === undefined && threshold === undefined) return 'as the preset';
  return [action && ACTION_WORDS[action], threshold !== undefined && `from ${percentOf(threshold)}`]
    .filter((word) => typeof word === 'string')
    .join(' ');
}
