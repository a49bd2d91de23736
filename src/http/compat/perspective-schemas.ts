/** What goes over the wire at /v1alpha1/comments, as the Perspective API has it. A `null` counts as absent, as in all JSON of Google. */
import { z } from 'zod';

const textEntry = z.object({
  text: z.string().nullish(),
  type: z.string().nullish().meta({ description: '`PLAIN_TEXT`, which is also the default.' }),
});
export type TextEntry = z.output<typeof textEntry>;

const context = z
  .object({
    entries: z.array(textEntry).nullish(),
    articleAndParentComment: z.looseObject({}).nullish(),
  })
  .nullish()
  .meta({ description: 'Accepted and not used: a text is judged alone.' });

/** Before each is looked at. */
const MOST_LANGUAGES = 1000;

const languages = z
  .array(z.string(), { error: 'must be an array of language codes' })
  .max(MOST_LANGUAGES, { error: `must be at most ${MOST_LANGUAGES}` })
  .nullish()
  .meta({ description: 'Must contain one that the model knows, if given.' });

const clientToken = z.string().nullish().meta({ description: 'Comes back in the answer.' });

const attributeParameters = z
  .object({
    scoreType: z.string().nullish().meta({ description: '`PROBABILITY`, which is also the default.' }),
    scoreThreshold: z.number().nullish().meta({ description: 'Scores below it are left out.' }),
  })
  .nullish();

export const analyzeCommentBody = z.object({
  comment: textEntry.nullish(),
  requestedAttributes: z.record(z.string(), attributeParameters).nullish().meta({
    description:
      'By name: `TOXICITY`, `SEVERE_TOXICITY`, `IDENTITY_ATTACK`, `INSULT`, `PROFANITY`, `THREAT`, `SEXUALLY_EXPLICIT`, `SPAM`.',
  }),
  dropUnsupportedAttributes: z.boolean().nullish().meta({
    description:
      'With `true`, attributes that are not served, or not for the language, are left out in place of an error.',
  }),
  spanAnnotations: z.boolean().nullish().meta({ description: 'With `true`, scores of each sentence.' }),
  languages,
  doNotStore: z.boolean().nullish().meta({ description: 'Accepted: nothing is ever stored.' }),
  clientToken,
  sessionId: z.string().nullish(),
  communityId: z.string().nullish(),
  context,
});
export type AnalyzeCommentRequest = z.output<typeof analyzeCommentBody>;

const score = z.object({ value: z.number().min(0).max(1), type: z.literal('PROBABILITY') });

const attributeScores = z.object({
  summaryScore: score,
  spanScores: z.array(z.object({ begin: z.int().min(0), end: z.int().min(0), score })).meta({
    description: 'UTF-16 offsets into the text. One span for the whole text, unless sentences were asked for.',
  }),
});
export type AttributeScores = z.output<typeof attributeScores>;

export const analyzeCommentResponse = z.object({
  attributeScores: z.record(z.string(), attributeScores).meta({
    description: 'Without those below `scoreThreshold` and those that `dropUnsupportedAttributes` left out.',
  }),
  languages: z.array(z.string()),
  detectedLanguages: z.array(z.string()),
  clientToken: z.string().optional(),
});
export type AnalyzeCommentResponse = z.output<typeof analyzeCommentResponse>;

const suggestedScore = z.object({
  value: z.number().min(0).max(1).meta({ description: '1 where the comment has the attribute, 0 where not.' }),
  type: z.string().nullish().meta({ description: '`PROBABILITY`, which is also the default.' }),
});

const suggestedScores = z.object({
  summaryScore: suggestedScore.nullish().meta({ description: 'Of the whole comment.' }),
  spanScores: z.array(z.object({ begin: z.int().min(0), end: z.int().min(0), score: suggestedScore })).nullish(),
});

export const suggestScoreBody = z.object({
  comment: textEntry.nullish(),
  attributeScores: z.record(z.string(), suggestedScores).nullish().meta({
    description: 'By name of the attribute; each with a `summaryScore`, with `spanScores`, or with both.',
  }),
  languages,
  clientToken,
  sessionId: z.string().nullish(),
  communityId: z.string().nullish(),
  context,
});
export type SuggestScoreRequest = z.output<typeof suggestScoreBody>;

export const suggestScoreResponse = z.object({
  clientToken: z.string().optional(),
  requestedLanguages: z.array(z.string()),
  detectedLanguages: z.array(z.string()),
});
export type SuggestScoreResponse = z.output<typeof suggestScoreResponse>;

export const perspectiveErrorResponse = z.object({
  error: z.object({
    code: z.int(),
    message: z.string(),
    status: z.string(),
    details: z.array(z.looseObject({ '@type': z.string() })),
  }),
});
