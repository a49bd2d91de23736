/** Which decisions a policy wants looked at by a person, and which of them first. Pure. */
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
