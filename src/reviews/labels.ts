/** What people said of texts that are kept, as labelled texts: a column for each category, to fit a policy or to train a model with. */
import { cellOf, type ExportFormat } from '../decisions/export.js';
import type { TextCipher } from '../decisions/text-cipher.js';
import { LABEL_CATEGORIES } from '../moderation/categories.js';
import type { SqlDatabase } from '../storage/sql/sql-database.js';

interface LabelRow {
  readonly sequence: number;
  readonly decisionId: string;
  readonly shouldPass: number;
  readonly categories: string;
  readonly language: string | null;
  readonly content: Uint8Array;
}

const PAGE = 500;
const COLUMNS = ['text', 'language', 'should_pass', ...LABEL_CATEGORIES] as const;

/** Of each decision what was said last, and not taken back; those without a text that can be read are left out. */
export async function* labelLines(
  { read }: Pick<SqlDatabase, 'read'>,
  projectId: string,
  cipher: TextCipher | undefined,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${COLUMNS.join(',')}\r\n`;
  for (let after = 0; ;) {
    const rows = await read<LabelRow>(
      `select review.sequence, review.decision_id, review.should_pass, review.categories, decision.language, decision.content
       from parapet.review as review join parapet.decision as decision on decision.id = review.decision_id
       where review.project_id = $1 and review.sequence > $2 and review.undone = 0 and decision.content is not null
         and not exists (select 1 from parapet.review as later
           where later.decision_id = review.decision_id and later.undone = 0 and later.sequence > review.sequence)
       order by review.sequence limit ${PAGE}`,
      [projectId, after],
    );
    for (const row of rows) {
      const text = cipher?.open(row.content, row.decisionId);
      if (text !== undefined) yield lineOf(text, row, format);
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.sequence ?? after;
  }
}

function lineOf(text: string, { language, shouldPass, categories }: LabelRow, format: ExportFormat): string {
  const names = JSON.parse(categories) as readonly string[];
  const label = {
    text,
    language,
    should_pass: shouldPass,
    ...Object.fromEntries(LABEL_CATEGORIES.map((category) => [category, names.includes(category) ? 1 : 0])),
  };
  return format === 'jsonl' ? `${JSON.stringify(label)}\n` : `${Object.values(label).map(cellOf).join(',')}\r\n`;
}
