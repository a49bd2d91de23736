/** Reads a request of the Perspective API: what is to be judged, and what is wrong with it in Perspective's own words. */
import type { Label } from '../../labels.js';
import type { Analysis } from '../../moderation/analyzer.js';
import type { Truth } from '../../labelling/label-record.js';
import { CATEGORY_OF_LABEL, UNREADABLE, type LabelCategory } from '../../moderation/categories.js';
import { analyzeBody } from '../routes/schemas.js';
import { labelOf, notServed } from './perspective-attributes.js';
import { PerspectiveError } from './perspective-error.js';
import { isOneOf, unknownLanguageOf } from './perspective-languages.js';
import type { AnalyzeCommentRequest, SuggestScoreRequest, TextEntry } from './perspective-schemas.js';

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

/**
 * @returns those that have a label, where the caller drops the others
 * @throws PerspectiveError where none is requested, or one that is not served
 */
export function readAttributes(request: AnalyzeCommentRequest): RequestedAttribute[] {
  const requested = Object.entries(request.requestedAttributes ?? {});
  if (requested.length === 0) {
    throw new PerspectiveError('NO_REQUESTED_ATTRIBUTES', 'Missing requested_attributes');
  }
  return requested.flatMap(([name, parameters]) => {
    const label = labelOf(name);
    assertScoreType(parameters?.scoreType, name);
    if (label !== undefined) return [{ name, label, scoreThreshold: parameters?.scoreThreshold ?? 0 }];
    if (request.dropUnsupportedAttributes === true) return [];
    throw notServed(name);
  });
}

export interface Suggestion {
  /** The attributes that scores are suggested for. */
  readonly names: readonly string[];
  /** Those of them that are categories here, where the score is of the whole comment. */
  readonly truth: Truth;
}

/**
 * @throws PerspectiveError where there is none, one without a score, or one that Perspective does not have
 */
export function readSuggestion({ attributeScores }: SuggestScoreRequest): Suggestion {
  const truth = new Map<LabelCategory, boolean>();
  const suggested = Object.entries(attributeScores ?? {});
  if (suggested.length === 0) throw new PerspectiveError('INVALID_REQUEST', 'Missing attribute_scores');
  for (const [name, { summaryScore, spanScores }] of suggested) {
    const label = labelOf(name);
    const scores = [...(summaryScore ? [summaryScore] : []), ...(spanScores ?? []).map(({ score }) => score)];
    if (scores.length === 0) {
      throw new PerspectiveError('INVALID_REQUEST', `Attribute ${name} needs a summary_score or span_scores`);
    }
    for (const { type } of scores) assertScoreType(type, name);
    if (label !== undefined && summaryScore) truth.set(CATEGORY_OF_LABEL[label], summaryScore.value >= 0.5);
  }
  return { names: suggested.map(([name]) => name), truth };
}

/** Languages of a request that the model knows: none where the request names none. */
export function knownLanguages(
  requested: readonly string[] | null | undefined,
  known: readonly string[],
): readonly string[] {
  return (requested ?? []).filter((tag) => isOneOf(known, tag));
}

/**
 * @param known those of the model
 * @param attributes by name
 * @returns the error, where the caller says that the text is of other languages alone
 */
export function otherLanguages(
  requested: readonly string[] | null | undefined,
  known: readonly string[],
  attributes: readonly string[],
): PerspectiveError | undefined {
  const asked = requested ?? [];
  if (asked.length === 0 || knownLanguages(asked, known).length > 0) return undefined;
  const tags = asked.filter(isLanguageTag);
  return unsupported(attributes, tags, { requestedLanguages: tags });
}

/**
 * Whatever languages the request names and whatever settings let pass: a score of the few letters that were read is no score of the text.
 *
 * @param attributes by name
 * @returns the error, where most of the text could not be read
 */
export function unread(
  text: string,
  { verdict }: Analysis,
  attributes: readonly string[],
): PerspectiveError | undefined {
  if (!verdict.categories.includes(UNREADABLE)) return undefined;
  const detected = [unknownLanguageOf(text)];
  return unsupported(attributes, detected, { detectedLanguages: detected });
}

// Perspective names one attribute: clients drop it and try again.
function unsupported(
  [attribute = '']: readonly string[],
  languages: readonly string[],
  more: object,
): PerspectiveError {
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
