/** What a community makes of probabilities: which score passes, and what each category means for it. Knows nothing of where that is kept. */
import type { Terms } from '../caller.js';
import { LABEL_CATEGORIES, type LabelCategory } from './categories.js';

/**
 * A category that fails a text, that fails it unless its passages can be masked, that is told and to be looked at by a person, that is only told, or
 * that is not told at all. Whoever cannot mask takes `mask` for `fail`.
 */
export const CATEGORY_ACTIONS = ['fail', 'mask', 'review', 'report', 'ignore'] as const;
export type CategoryAction = (typeof CATEGORY_ACTIONS)[number];

/** As of categories. */
export const BLOCKED_TERM_ACTIONS = ['fail', 'mask'] as const;
export type BlockedTermAction = (typeof BLOCKED_TERM_ACTIONS)[number];

export const UNREADABLE_ACTIONS = ['fail', 'pass'] as const;
export type UnreadableAction = (typeof UNREADABLE_ACTIONS)[number];

export interface CategoryRule {
  readonly action: CategoryAction;
  /** Least probability that counts as detected; without one that of the model's calibration. */
  readonly threshold?: number | undefined;
}

/** Scores whose texts are to be looked at by a person, whether they passed or not. */
export interface ScoreBand {
  readonly from: number;
  readonly to: number;
}

export interface ReviewRule {
  readonly scores?: ScoreBand | undefined;
  /** The share of what a person judges that a second person judges too, from 0 to 1; none where it is absent. */
  readonly secondReviews?: number | undefined;
}

/** What is kept of the verdicts of a project, for how long; the text, encrypted, with `texts` alone. */
export const KEPT = ['none', 'verdicts', 'texts'] as const;
export type Kept = (typeof KEPT)[number];
export const MOST_KEPT_DAYS = 3650;

export interface KeepRule {
  readonly what: Exclude<Kept, 'none'>;
  readonly days: number;
  /** The member of a request's `metadata` that is the caller's own name for its text. Without one none is kept. */
  readonly reference?: string | undefined;
}

/** Complete: nothing in it is left to a default. */
export interface VerdictPolicy {
  /** Highest score that passes; 10 where the score fails nothing. */
  readonly passMaxScore: number;
  readonly categories: Readonly<Record<LabelCategory, CategoryRule>>;
  /** What becomes of a text of which most could not be read, if nothing in the rest fails it. */
  readonly unreadable: UnreadableAction;
  /** Absent where both lists are empty. */
  readonly terms?: Terms | undefined;
  /** What becomes of a text with a blocked term; it fails where this is absent. */
  readonly blockedTermsAction?: BlockedTermAction | undefined;
  /** What is to be looked at beside categories whose action is `review`, and how much of all that by two people. */
  readonly review?: ReviewRule | undefined;
  /** Absent where nothing is kept. */
  readonly keep?: KeepRule | undefined;
  /** Absent where the settings of the service are the policy. */
  readonly origin?: PolicyOrigin | undefined;
}

/** Which of the policies of a project, as a caller may be told. */
export interface PolicyOrigin {
  readonly name: string;
  readonly version: number;
}

/** The settings of the service, which hold where no policy says otherwise. */
export interface PolicySettings {
  readonly passMaxScore: number;
  /** Categories that fail a text at any score. */
  readonly blockCategories: readonly LabelCategory[];
  readonly unreadable: UnreadableAction;
}

export function policyOfSettings({ passMaxScore, blockCategories, unreadable }: PolicySettings): VerdictPolicy {
  return Object.freeze({
    passMaxScore,
    categories: Object.freeze(
      perCategory((category) => Object.freeze({ action: blockCategories.includes(category) ? 'fail' : 'report' })),
    ),
    unreadable,
  });
}

/** Whether a text with this category fails, as long as it is not masked. */
export function failsText({ action }: CategoryRule): boolean {
  return action === 'fail' || action === 'mask';
}

export function perCategory<Value>(valueOf: (category: LabelCategory) => Value): Record<LabelCategory, Value> {
  return Object.fromEntries(LABEL_CATEGORIES.map((category) => [category, valueOf(category)])) as Record<
    LabelCategory,
    Value
  >;
}
