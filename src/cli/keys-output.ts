/** How keys are shown: the table and the sentences of the `keys` command. */
import type { Key } from '../keys/key-record.js';
import type { KeySummary } from '../keys/key-summary.js';
import { minuteOf, tableLines } from './table.js';

const HEADINGS = ['ID', 'PROJECT', 'NAME', 'ENV', 'KEY', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'];

export function tableOf(summaries: readonly KeySummary[]): string {
  return tableLines([
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
  ]);
}

export function explanationOf(record: Key): string {
  const lifetime = record.expiresAt === null ? 'never expires' : `expires ${minuteOf(record.expiresAt)}`;
  const { id, name, project, environment } = record;
  return `Key ${id} (${name}) of project ${project}, ${environment}, ${lifetime}. It is shown only this once: store it now.\n`;
}

export function endOfPrevious({ id, expiresAt, revokedAt }: Key): string {
  return `The old key ${id} ${revokedAt === null ? `works until ${minuteOf(expiresAt ?? 'revoked')}` : 'is revoked'}.\n`;
}
