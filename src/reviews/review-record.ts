/** What is known of a decision that a person looks at, and what comes of it. Texts, notes and appeals are encrypted here. */
import type { Decision } from '../decisions/decision-record.js';
import type { Category } from '../moderation/categories.js';

/** Whether a person says as the policy did. `undone` takes back what was said before. */
export const REVIEW_OUTCOMES = ['right', 'wrong', 'undone'] as const;
export type ReviewOutcome = (typeof REVIEW_OUTCOMES)[number];

/** Whether the decision stands. */
export type AppealOutcome = 'upheld' | 'reversed';

export interface Appeal {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What the appellant says, encrypted; undefined where that is nothing. */
  readonly content: Uint8Array | undefined;
}

export interface DecisionToReview extends Decision {
  /** Until then nobody else gets it, in milliseconds since 1970. */
  readonly claimedUntil: number;
  /** The one that is open. */
  readonly appeal: Appeal | undefined;
}

export interface Judgement {
  readonly outcome: 'right' | 'wrong';
  /** What is right; of a decision that was right, as it was. */
  readonly shouldPass: boolean;
  readonly categories: readonly Category[];
  /** Encrypted. */
  readonly note: Uint8Array | undefined;
}

/** What was said of a decision, as its project is told. */
export interface Review {
  /** Grows with each that is written. */
  readonly sequence: number;
  readonly decisionId: string;
  readonly projectId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  readonly reference: string | undefined;
  readonly outcome: ReviewOutcome;
  readonly passed: boolean;
  readonly shouldPass: boolean;
  readonly categories: readonly Category[];
  readonly appealId: string | undefined;
}

/** @returns undefined where nobody had appealed, or where it is taken back and the appeal is open again */
export function appealOutcomeOf({
  appealId,
  outcome,
  passed,
  shouldPass,
}: Pick<Review, 'appealId' | 'outcome' | 'passed' | 'shouldPass'>): AppealOutcome | undefined {
  if (appealId === undefined || outcome === 'undone') return undefined;
  return passed === shouldPass ? 'upheld' : 'reversed';
}
