/** How keys are shown: the table and the sentences of the `keys` command. */
import type { KeyRecord } from '../keys/key-record.js';
import type { KeySummary } from '../keys/key-summary.js';

const HEADINGS = ['ID', 'PROJECT', 'NAME', 'ENV', 'KEY', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'];

export function tableOf(summaries: readonly KeySummary[]): string {
  const rows = [
    HEADINGS,
    ...summaries.map((each) => [
      each.id,
      each.project,
      each.name,
      each.environment,
      `${each.start}…`,
      each.state,
      minuteOf(each.createdAt),
      each.expiresAt === null ? 'never' : minuteOf(each.expiresAt),
      each.lastUsedAt === null ? 'never' : minuteOf(each.lastUsedAt),
    ]),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

export function explanationOf(record: KeyRecord): string {
  const lifetime = record.expiresAt === null ? 'never expires' : `expires ${minuteOf(record.expiresAt)}`;
  const { id, name, project, environment } = record;
  return `Key ${id} (${name}) of project ${project}, ${environment}, ${lifetime}. It is shown only this once: store it now.\n`;
}

export function endOfPrevious({ id, expiresAt, revokedAt }: KeyRecord): string {
  return `The old key ${id} ${revokedAt === null ? `works until ${minuteOf(expiresAt ?? 'revoked')}` : 'is revoked'}.\n`;
}

/** `2031-05-04 10:30Z`: seconds only make a table wide. */
function minuteOf(time: string): string {
  const [date = time, clock] = time.split('T');
  return clock === undefined ? date : `${date} ${clock.slice(0, 5)}Z`;
}
