/** The names that callers see: how model labels become API categories. A label comes from the model, a category goes to the caller. */
import { LABELS, type Label } from '../labels.js';

export const CATEGORY_OF_LABEL = {
  toxicity: 'toxic',
  severe_toxicity: 'severe_toxic',
  obscene: 'obscene',
  threat: 'threat',
  insult: 'insult',
  identity_attack: 'hate',
  sexual_explicit: 'sexual',
  self_harm: 'self_harm',
  spam: 'spam',
} as const satisfies Record<Label, string>;
export type LabelCategory = (typeof CATEGORY_OF_LABEL)[Label];

/** Those of labels: what the model detects. */
export const LABEL_CATEGORIES: readonly LabelCategory[] = LABELS.map((label) => CATEGORY_OF_LABEL[label]);

/** The text holds a term that the policy of its project never lets through. */
export const BLOCKED_TERM = 'blocked_term';

/** Most of the text could not be read: nothing is known of that part. */
export const UNREADABLE = 'unreadable';

export const CATEGORIES = [BLOCKED_TERM, ...LABEL_CATEGORIES, UNREADABLE] as const;
export type Category = (typeof CATEGORIES)[number];

/** How a category is called in a sentence for a moderator. */
export const CATEGORY_WORDING: Readonly<Record<LabelCategory, string>> = {
  toxic: 'toxicity',
  severe_toxic: 'severe toxicity',
  obscene: 'obscenity',
  threat: 'threat',
  insult: 'insult',
  hate: 'hate against a group',
  sexual: 'sexual content',
  self_harm: 'self-harm',
  spam: 'spam',
};
