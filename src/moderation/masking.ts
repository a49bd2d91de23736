/** Replaces the passages of a text that carry what a policy masks: the sentences of a category, and terms alone. Pure. */
import type { TextRange } from '../inference/classifier.js';
import type { Analysis } from './analyzer.js';
import { BLOCKED_TERM, CATEGORY_OF_LABEL, UNREADABLE } from './categories.js';
import type { VerdictPolicy } from './verdict-policy.js';

const MASK = '[masked]';

/** Whether anything of a text may have to be masked: then its analysis must have been asked for spans. */
export function masksAnything({ categories, terms, blockedTermsAction }: VerdictPolicy): boolean {
  const masksTerms = terms !== undefined && blockedTermsAction === 'mask';
  return masksTerms || Object.values(categories).some(({ action }) => action === 'mask');
}

/**
 * The text without the passages of masked categories. What remains is to be judged anew: the score, for one, may still fail it.
 *
 * @returns undefined where there is no such passage, or where something that is not to be masked fails the text by itself
 */
export function maskedText(text: string, { verdict, policy, spans }: Analysis): string | undefined {
  const actionOf = (category: (typeof verdict.categories)[number]): string => {
    if (category === BLOCKED_TERM) return policy.blockedTermsAction ?? 'fail';
    return category === UNREADABLE ? policy.unreadable : policy.categories[category].action;
  };
  const masked = verdict.categories.filter((category) => actionOf(category) === 'mask');
  if (masked.length === 0 || verdict.categories.some((category) => actionOf(category) === 'fail')) return undefined;
  const passages = spans().filter(({ label }) =>
    masked.includes(label === BLOCKED_TERM ? BLOCKED_TERM : CATEGORY_OF_LABEL[label]),
  );
  return passages.length === 0 ? undefined : without(text, passages);
}

/** @param passages in the order of the text; they may overlap */
function without(text: string, passages: readonly TextRange[]): string {
  let kept = '';
  let end = 0;
  for (const passage of passages) {
    if (passage.start >= end) kept += text.slice(end, passage.start) + MASK;
    end = Math.max(end, passage.end);
  }
  return kept + text.slice(end);
}
