/** The attributes of the Perspective API by name, and which labels of ours answer them. docs/from-perspective.md gives the reasons. */
import type { Label } from '../../labels.js';
import { PerspectiveError } from './perspective-error.js';

const LABEL_OF_ATTRIBUTE: ReadonlyMap<string, Label> = new Map<string, Label>([
  ['TOXICITY', 'toxicity'],
  ['SEVERE_TOXICITY', 'severe_toxicity'],
  ['IDENTITY_ATTACK', 'identity_attack'],
  ['INSULT', 'insult'],
  ['PROFANITY', 'obscene'],
  ['THREAT', 'threat'],
  ['SEXUALLY_EXPLICIT', 'sexual_explicit'],
  ['SPAM', 'spam'],
]);

/** Attributes that Perspective has or had, without a label of ours. */
const NOT_SERVED: ReadonlySet<string> = new Set([
  ...['TOXICITY_FAST', 'FLIRTATION', 'ATTACK_ON_AUTHOR', 'ATTACK_ON_COMMENTER', 'INCOHERENT', 'INFLAMMATORY'],
  ...['LIKELY_TO_REJECT', 'OBSCENE', 'UNSUBSTANTIAL'],
  ...[
    ...['TOXICITY', 'SEVERE_TOXICITY', 'IDENTITY_ATTACK', 'INSULT', 'PROFANITY', 'THREAT'],
    // Bridging attributes, then those of persuasion.
    ...['AFFINITY', 'COMPASSION', 'CONSTRUCTIVE', 'CURIOSITY', 'NUANCE', 'PERSONAL_STORY', 'REASONING', 'RESPECT'],
    ...['ALIENATION', 'FEARMONGERING', 'GENERALIZATION', 'MORAL_OUTRAGE', 'POWER_APPEAL', 'SCAPEGOATING'],
  ].map((name) => `${name}_EXPERIMENTAL`),
]);

/**
 * @returns `undefined` for an attribute of Perspective that is not served here
 * @throws PerspectiveError for a name that is none: it may be text of the caller, so the error does not repeat it
 */
export function labelOf(attribute: string): Label | undefined {
  const label = LABEL_OF_ATTRIBUTE.get(attribute);
  if (label !== undefined || NOT_SERVED.has(attribute)) return label;
  throw new PerspectiveError('INVALID_REQUEST', 'Unknown requested attribute');
}

/** @param attribute one that Perspective has */
export function notServed(attribute: string): PerspectiveError {
  return new PerspectiveError(
    'INVALID_REQUEST',
    `Requested attribute is known but not served here: ${attribute}. With dropUnsupportedAttributes it is left out.`,
  );
}
