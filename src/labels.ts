/** The names that models of this project use for what they see. Shared by every layer, so it imports nothing. */

export const LABELS = [
  'toxicity',
  'severe_toxicity',
  'obscene',
  'threat',
  'insult',
  'identity_attack',
  'sexual_explicit',
  'self_harm',
  'spam',
] as const;
export type Label = (typeof LABELS)[number];

export const SENTIMENTS = ['positive', 'negative', 'neutral'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];
