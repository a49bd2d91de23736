/** Decisions as a file, line by line, with their texts. What callers wrote is hostile: in a table no cell of it is a formula. */
import type { Decision } from './decision-record.js';
import type { TextCipher } from './text-cipher.js';
import { writtenWithText, type DecisionWithText } from './written-decision.js';

export const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

const COLUMNS = [
  'id',
  'at',
  'projectId',
  'keyId',
  'door',
  'requestId',
  'reference',
  'passed',
  'score',
  'categories',
  'language',
  'policyVersion',
  'deleteAt',
  'review',
  'textState',
  'text',
] as const satisfies readonly (keyof DecisionWithText)[];

export async function* exportedLines(
  decisions: AsyncIterable<Decision>,
  cipher: TextCipher | undefined,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${COLUMNS.join(',')}\r\n`;
  for await (const decision of decisions) {
    const written = writtenWithText(decision, cipher, true);
    yield format === 'jsonl'
      ? `${JSON.stringify(written)}\n`
      : `${COLUMNS.map((column) => cellOf(written[column])).join(',')}\r\n`;
  }
}

/** Quoted as RFC 4180 has it. An apostrophe before what a spreadsheet would compute (OWASP, "CSV Injection"). */
export function cellOf(value: string | number | boolean | readonly string[] | null): string {
  if (value === null) return '';
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
