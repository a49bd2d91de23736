/** How labels of the model become attributes of the Perspective API. docs/from-perspective.md gives the reasons. */
import type { Label } from '../../labels.js';

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

/**
 * Attributes of Perspective without a label of ours. Only names that are known may stand in an error: any other is text of the
 * caller.
 */
const OTHER_ATTRIBUTES = new Set([
  ...['TOXICITY', 'SEVERE_TOXICITY', 'IDENTITY_ATTACK', 'INSULT', 'PROFANITY', 'THREAT'].map(
    (name) => `${name}_EXPERIMENTAL`,
  ),
  ...['TOXICITY_FAST', 'FLIRTATION', 'ATTACK_ON_AUTHOR', 'ATTACK_ON_COMMENTER', 'INCOHERENT', 'INFLAMMATORY'],
  ...['LIKELY_TO_REJECT', 'OBSCENE', 'UNSUBSTANTIAL'],
  ...['AFFINITY', 'COMPASSION', 'CURIOSITY', 'NUANCE', 'PERSONAL_STORY', 'REASONING', 'RESPECT'].map(
    (name) => `${name}_EXPERIMENTAL`,
  ),
]);

export function labelOf(attribute: string): Label | undefined {
  return LABEL_OF_ATTRIBUTE.get(attribute);
}

/** The attribute as it may stand in an answer: empty, where it is no name that Perspective has. */
export function printable(attribute: string): string {
  return LABEL_OF_ATTRIBUTE.has(attribute) || OTHER_ATTRIBUTES.has(attribute) ? attribute : '';
}
