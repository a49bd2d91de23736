/** Which decisions a policy wants looked at by a person, which of them first, and which by two. Pure. */
import { hash } from 'node:crypto';
import type { Analysis } from '../moderation/analyzer.js';
import { BLOCKED_TERM, UNREADABLE } from '../moderation/categories.js';

/** @returns how certain the model is, from 0 for the most doubtful to 1; undefined for what nobody has to look at */
export function reviewOf({ verdict, policy, doubt }: Analysis): number | undefined {
  const band = policy.review?.scores;
  const isInBand = band !== undefined && verdict.score >= band.from && verdict.score <= band.to;
  const hasCategory = verdict.categories.some(
    (category) =>
      category !== BLOCKED_TERM && category !== UNREADABLE && policy.categories[category].action === 'review',
  );
  return isInBand || hasCategory ? doubt() : undefined;
}

/**
 * By a hash of the id: nobody can choose, and a decision that was judged, taken back and judged again stays what it was.
 *
 * @param share of all decisions, from 0 to 1
 */
export function wantsSecondReview(decisionId: string, share: number): boolean {
  return hash('sha256', decisionId, 'buffer').readUInt32BE(0) < share * 2 ** 32;
}
