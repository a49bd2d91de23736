/** What goes over the wire: request and response shapes, once, as zod schemas. Types, validation and the OpenAPI page come from here. */
import { z } from 'zod';
import { LABELS, SENTIMENTS } from '../../labels.js';
import { BLOCKED_TERM, CATEGORIES } from '../../moderation/categories.js';
import { BANDS } from '../../moderation/verdict.js';

/** Counted in Unicode code points: an emoji or a rare ideograph is one character, as its sender would count it. */
export const MAX_CONTENT_CHARACTERS = 10_000;
export const MAX_METADATA_CHARACTERS = 16_384;

/**
 * 10,000 characters can take 12 bytes each (an escaped surrogate pair), and metadata 6; a larger body is refused unread.
 */
export const MAX_BODY_BYTES = 256 * 1024;

function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const next = text.charCodeAt(index + 1);
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) index += 1;
    count += 1;
  }
  return count;
}

function serializedLength(value: object): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Infinity; // nested too deeply for the serializer's stack
  }
}

export const analyzeBody = z.object({
  content: z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
    .refine((content) => content.length > 0, { error: 'must not be empty', abort: true })
    .refine(
      (content) =>
        content.length <= MAX_CONTENT_CHARACTERS ||
        (content.length <= 2 * MAX_CONTENT_CHARACTERS && countCodePoints(content) <= MAX_CONTENT_CHARACTERS),
      {
        error: `must be at most ${MAX_CONTENT_CHARACTERS} characters (Unicode code points)`,
        params: { code: 'content_too_long' },
      },
    )
    .meta({
      description: 'The text to analyze: 1 to 10,000 characters, counted as Unicode code points.',
      minLength: 1,
      maxLength: MAX_CONTENT_CHARACTERS,
      examples: ['Thanks, that was a great answer!'],
    }),
  metadata: z
    .looseObject({})
    .refine((metadata) => serializedLength(metadata) <= MAX_METADATA_CHARACTERS, {
      error: `must be at most ${MAX_METADATA_CHARACTERS} characters as JSON`,
    })
    .optional()
    .meta({
      description: 'Free-form information about the content. Accepted and ignored: never stored, never logged.',
      examples: [{ source: 'comments', userId: '42' }],
    }),
});

/** What other services call the text. */
const NAMES_ELSEWHERE = ['text', 'input', 'message', 'comment', 'body'] as const;

/** @returns the name that a body without `content` has for the text, if it is one of those that others use */
export function otherNameOfContent(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || Object.hasOwn(body, 'content')) return undefined;
  return NAMES_ELSEWHERE.find((name) => Object.hasOwn(body, name));
}

export const analyzeQuery = z.object({
  details: z
    .enum(['true', '1', 'false', '0'], { error: 'must be "true" or "1", "false" or "0"' })
    .optional()
    .meta({
      description:
        'With `true` (or `1`) the answer has a member `details`: what the verdict rests on. The sentences are read one by one for its spans, unless they are certainly harmless: that takes longer, and changes no verdict.',
    })
    .transform((value) => value === 'true' || value === '1'),
});

const probability = z.number().min(0).max(1);

export const detailsSchema = z.object({
  model: z.string().meta({ description: 'Model and version that judged.' }),
  band: z.enum(BANDS).meta({ description: 'That of the score alone: a text can fail at any score.' }),
  labels: z.partialRecord(z.enum(LABELS), probability).meta({ description: 'Calibrated probability per model label.' }),
  sentiment: z.partialRecord(z.enum(SENTIMENTS), probability),
  language: z
    .string()
    .optional()
    .meta({
      description:
        'Likeliest language of the text, a tag of BCP 47, or `other` for none that the model knows. Absent where it knows one language.',
      examples: ['pt'],
    }),
  languageExperimental: z.literal(true).optional().meta({
    description: 'There where the model is not yet good enough at this language to rely on.',
  }),
  spans: z
    .array(
      z.object({ start: z.int().min(0), end: z.int().min(0), label: z.enum([...LABELS, BLOCKED_TERM]), probability }),
    )
    .meta({
      description:
        'Passages that carry what was detected; UTF-16 offsets into `content`. A `blocked_term` has probability 1.',
    }),
  windows: z.int().min(1).meta({ description: 'Runs of the model that the text took, those for spans included.' }),
  cached: z.boolean().meta({ description: 'True when the verdict was not computed for this request.' }),
  policy: z
    .object({
      name: z.string().meta({ description: 'The preset that the policy begins from.' }),
      version: z.int().min(1).meta({ description: 'Grows by one with each change.' }),
    })
    .optional()
    .meta({ description: 'The policy of the project. Absent where it has none: the settings of the service apply.' }),
});

export const analyzeResponse = z.object({
  passed: z.boolean().meta({ description: 'True if the content is safe; false if it is flagged.' }),
  score: z.int().min(0).max(10).meta({ description: '0 (safe) to 10 (highly toxic).' }),
  sentiment: z.enum([...SENTIMENTS, 'toxic']).meta({
    description:
      'How the text reads, whatever becomes of it: spam that fails may be positive. `toxic` in the Toxic band.',
  }),
  description: z.string().meta({
    description:
      'Why, for a moderator: the reason first, and the band where the score decided. Never quotes the content.',
    examples: ['Failed: self-harm, whatever the score.'],
  }),
  categories: z.array(z.enum(CATEGORIES)).meta({
    description:
      'Detected categories, strongest first. `blocked_term`, a term that the policy of the project always fails, comes first; `unreadable`, where most of the text could not be read, comes last.',
  }),
  processingTimeMs: z.int().min(0),
  details: detailsSchema.optional(),
});
export type AnalyzeResponse = z.output<typeof analyzeResponse>;

export const HEALTH_STATUSES = ['healthy', 'starting', 'unhealthy'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

export const healthResponse = z.object({
  status: z.enum(HEALTH_STATUSES),
  timestamp: z.iso.datetime({ precision: 3 }),
});

export const livenessResponse = z.object({ status: z.literal('alive') });

export const problemResponse = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ description: 'RFC 9457 problem details. `code` is stable; see docs/errors.md.' });
export type Problem = z.output<typeof problemResponse>;

/** What a route answers with these statuses. */
export function problems(...statuses: readonly number[]): Record<string, typeof problemResponse> {
  return Object.fromEntries(statuses.map((status) => [status, problemResponse]));
}
