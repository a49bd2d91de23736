/** What goes over the wire of the admin API about labels. */
import { z } from 'zod';
import { KEPT_SOURCES, LABEL_SOURCES } from '../../labelling/label-record.js';
import { LABEL_FORMATS } from '../../labelling/label-lines.js';
import { MOST_LABEL_ROWS } from '../../labelling/label-file.js';
import { LABEL_CATEGORIES } from '../../moderation/categories.js';

export const MAX_LABEL_BYTES = 8 * 1024 * 1024;

const count = z.int().min(0);
const sourcesOf = (sources: readonly string[]): string => `must be one of: ${sources.join(', ')}`;

export const labelsResponse = z.object({
  texts: count,
  sources: z.array(z.object({ source: z.enum(LABEL_SOURCES), texts: count })),
  outcome: z
    .object({ shouldPass: count, shouldFail: count })
    .meta({ description: 'Texts of which somebody said whether they should pass.' }),
  categories: z.array(
    z.object({
      category: z.enum(LABEL_CATEGORIES),
      yes: count,
      no: count.meta({ description: 'The others say nothing of the category.' }),
    }),
  ),
  canKeep: z.boolean().meta({ description: 'Whether the service has the key that encrypts texts.' }),
});
export type LabelsResponse = z.output<typeof labelsResponse>;

export const labelImportBody = z
  .object({
    csv: z.string().optional().meta({ description: 'A CSV whose first record names the columns.' }),
    jsonl: z.string().optional().meta({ description: 'A JSON object a line.' }),
  })
  .refine(({ csv, jsonl }) => (csv === undefined) !== (jsonl === undefined), {
    error: 'must have either csv or jsonl',
  });

export const labelImportResponse = z.object({
  taken: count,
  leftOut: count.meta({
    description: 'Rows whose text is blank or too long, or of which no label says anything.',
  }),
});
export type LabelImportResponse = z.output<typeof labelImportResponse>;

export const labelExportQuery = z
  .object({
    format: z.enum(LABEL_FORMATS, sourcesOf(LABEL_FORMATS)).default('jsonl'),
    coopType: z.string().min(1, 'must not be empty').max(200).optional().meta({
      description: 'With the format `coop`: the id of the item type in Coop.',
    }),
  })
  .refine(({ format, coopType }) => format !== 'coop' || coopType !== undefined, {
    path: ['coopType'],
    error: 'is required with the format coop',
  });
export type LabelExportQuery = z.output<typeof labelExportQuery>;

export const labelSourceQuery = z.object({ source: z.enum(KEPT_SOURCES, sourcesOf(KEPT_SOURCES)) });
export const labelsDeletedResponse = z.object({ deleted: count });

export const IMPORT_DESCRIPTION = `Up to ${MOST_LABEL_ROWS} rows: \`text\`, and what is known of \`language\`, \`should_pass\` and each category, as an export has them: 1 or true, 0 or false, empty where nobody knows. Joined to what was imported of the same text before.`;
