/** What goes over the wire at POST /v1/moderations, as OpenAI's API has it. */
import { z } from 'zod';
import { MAX_BATCH_ITEMS } from '../routes/batch-schemas.js';
import { MAX_CONTENT_CHARACTERS } from '../routes/schemas.js';
import { OPENAI_CATEGORIES, type OpenAiCategory } from './openai-categories.js';

/** Its length is checked with that of every text, so that the complaint can say which rule it breaks. */
const text = z.string().meta({ minLength: 1, maxLength: MAX_CONTENT_CHARACTERS });
const textPart = z.object({ type: z.literal('text'), text });
/** Understood so that it can be refused by name. */
const imagePart = z
  .object({ type: z.literal('image_url') })
  .meta({ description: 'Refused: this service judges text only.' });

const INPUT_SHAPE = `must be a string, or an array of 1 to ${MAX_BATCH_ITEMS} strings or of as many text parts`;

export const moderationBody = z.object({
  input: z
    .union(
      [
        text,
        z.array(text).min(1).max(MAX_BATCH_ITEMS),
        z
          .array(z.discriminatedUnion('type', [textPart, imagePart]))
          .min(1)
          .max(MAX_BATCH_ITEMS),
      ],
      { error: (issue) => (issue.input === undefined ? 'is required' : INPUT_SHAPE) },
    )
    .meta({
      description:
        'A text, an array of texts (a result for each), or an array of text parts (one result for all). Each text has 1 to 10,000 characters.',
    }),
  model: z.string().nullish().meta({ description: 'Accepted and ignored: the answer names the model that judged.' }),
});
export type ModerationInput = z.output<typeof moderationBody>['input'];

const CATEGORIES = Object.keys(OPENAI_CATEGORIES) as OpenAiCategory[];

/** An object with a member for each category. */
function perCategory<Value extends z.ZodType>(value: Value) {
  const shape = Object.fromEntries(CATEGORIES.map((category) => [category, value]));
  return z.object(shape as Record<OpenAiCategory, Value>);
}

export const moderationResponse = z.object({
  id: z.string(),
  model: z.string(),
  results: z.array(
    z.object({
      flagged: z.boolean(),
      categories: perCategory(z.boolean()),
      category_scores: perCategory(z.number().min(0).max(1)),
      category_applied_input_types: perCategory(z.array(z.literal('text'))).meta({
        description: 'Empty for categories that the model has no label for.',
      }),
    }),
  ),
});
export type ModerationResponse = z.output<typeof moderationResponse>;

export const openAiErrorResponse = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string().nullable() }),
});
