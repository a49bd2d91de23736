/** Reads a request of the Perspective API: what is to be judged, and what is wrong with it in Perspective's own words. */
import type { Label } from '../../labels.js';
import type { Analysis } from '../../moderation/analyzer.js';
import { UNREADABLE } from '../../moderation/categories.js';
import { analyzeBody } from '../routes/schemas.js';
import { PerspectiveError } from './perspective-error.js';
import { isOneOf, unknownLanguageOf } from './perspective-languages.js';
import type { AnalyzeCommentRequest, TextEntry } from './perspective-schemas.js';

export interface RequestedAttribute {
  readonly name: string;
  readonly label: Label;
  /** Scores below it are not answered. */
  readonly scoreThreshold: number;
}

/** @throws PerspectiveError where Perspective would refuse the comment */
export function readComment({ comment, context }: Pick<AnalyzeCommentRequest, 'comment' | 'context'>): string {
  assertContext(context);
  const text = comment?.text ?? '';
  if (text === '') throw new PerspectiveError('COMMENT_EMPTY', 'Comment must be non-empty.');
  assertPlainText(comment?.type);
  if (!analyzeBody.shape.content.safeParse(text).success) {
    throw new PerspectiveError('COMMENT_TOO_LONG', 'Comment text too long: send at most 10,000 characters.');
  }
  return text;
}

/** @throws PerspectiveError where none is requested, or one that the model has no label for */
export function readAttributes({ requestedAttributes }: AnalyzeCommentRequest): RequestedAttribute[] {
  const requested = Object.entries(requestedAttributes ?? {});
  if (requested.length === 0) {
    throw new PerspectiveError('NO_REQUESTED_ATTRIBUTES', 'Missing requested_attributes');
  }
  return requested.map(([name, parameters]) => {
    const label = LABEL_OF_ATTRIBUTE.get(name);
    if (label === undefined) throw unknownAttribute(name);
    assertScoreType(parameters?.scoreType, name);
    return { name, label, scoreThreshold: parameters?.scoreThreshold ?? 0 };
  });
}

export function unknownAttribute(name: string): PerspectiveError {
  return new PerspectiveError('INVALID_REQUEST', `Unknown requested attribute: ${printable(name)}`.trimEnd());
}

/**
 * @param known those of the model
 * @returns the languages of the request that the model knows: none where the request names none
 * @throws PerspectiveError where the caller says that the text is of other languages
 */
export function readLanguages(
  requested: readonly string[] | null | undefined,
  known: readonly string[],
  attributes: readonly RequestedAttribute[],
): string[] {
  if (requested === null || requested === undefined || requested.length === 0) return [];
  const judged = requested.filter((tag) => isOneOf(known, tag));
  if (judged.length > 0) return judged;
  const tags = requested.filter(isLanguageTag);
  throw unsupported(attributes, tags, { requestedLanguages: tags });
}

/**
 * Whatever languages the request names and whatever settings let pass: a score of the few letters that were read is no score of the text.
 *
 * @throws PerspectiveError where most of the text could not be read
 */
export function assertRead(text: string, { verdict }: Analysis, attributes: readonly RequestedAttribute[]): void {
  if (!verdict.categories.includes(UNREADABLE)) return;
  const detected = [unknownLanguageOf(text)];
  throw unsupported(attributes, detected, { detectedLanguages: detected });
}

function unsupported(
  attributes: readonly RequestedAttribute[],
  languages: readonly string[],
  more: object,
): PerspectiveError {
  // Perspective names one attribute: clients drop it and try again.
  const attribute = attributes[0]?.name ?? '';
  return new PerspectiveError(
    'LANGUAGE_NOT_SUPPORTED_BY_ATTRIBUTE',
    `Attribute ${attribute} does not support request languages: ${languages.join(', ')}`.trimEnd(),
    { languageNotSupportedByAttributeError: { attribute, ...more } },
  );
}

/** What an error may repeat: a language and a region, which is too short for a text or a key. */
function isLanguageTag(tag: string): boolean {
  return /^[a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_][a-z]{2})?$/i.test(tag);
}

function assertPlainText(type: TextEntry['type']): void {
  if (type === 'HTML') {
    throw new PerspectiveError('INVALID_REQUEST', "Currently, only 'PLAIN_TEXT' comments are supported");
  }
  if (![undefined, null, 'PLAIN_TEXT', 'TEXT_TYPE_UNSPECIFIED'].includes(type)) {
    throw new PerspectiveError('INVALID_REQUEST', 'Unknown text type');
  }
}

const OTHER_SCORE_TYPES = ['STD_DEV_SCORE', 'PERCENTILE', 'RAW'];

function assertScoreType(type: string | null | undefined, attribute: string): void {
  if (type === undefined || type === null || type === 'PROBABILITY' || type === 'SCORE_TYPE_UNSPECIFIED') return;
  const message = OTHER_SCORE_TYPES.includes(type)
    ? `Requested score type ${type} is not supported by attribute ${attribute}`
    : 'Unknown score type';
  throw new PerspectiveError('INVALID_REQUEST', message);
}

function assertContext(context: AnalyzeCommentRequest['context']): void {
  if (context?.entries && context.articleAndParentComment) {
    throw new PerspectiveError(
      'INVALID_REQUEST',
      'Context can have either entries or article_and_parent_comment, but both fields were populated.',
    );
  }
}

/** How labels of the model become attributes. docs/from-perspective.md gives the reasons. */
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

/** The attribute as it may stand in an answer: empty, where it is no name that Perspective has. */
function printable(attribute: string): string {
  return LABEL_OF_ATTRIBUTE.has(attribute) || OTHER_ATTRIBUTES.has(attribute) ? attribute : '';
}
