/** What `doctor` says of the records of people and decisions: the database in a file, and whether kept texts open. Changes nothing. */
import { existsSync, statSync } from 'node:fs';
import type { Config } from '../../config/config.js';
import { createTextCipher } from '../../decisions/text-cipher.js';
import { messageOf } from '../../errors.js';
import { openStore, type StorePlace } from '../../storage/open-store.js';
import { versionsOf } from '../../storage/sql/sqlite-migrations.js';
import type { Finding } from './machine-checks.js';

/** How long a server may hold the file, in milliseconds. */
const BUSY_MS = 5000;
/** Of the oldest and of the newest decisions, among which there may be a text. */
const MOST_CANDIDATES = 10_000;

/**
 * Reads the whole file, beside a server that may have it open, and makes no tables.
 *
 * @returns areReadable: its tables are those of this release
 */
export async function checkRecords(file: string): Promise<{ finding: Finding; areReadable: boolean }> {
  const name = 'records';
  if (!existsSync(file)) return { finding: { name, state: 'ok', says: `${file}: nothing yet` }, areReadable: false };
  try {
    // Its library is native: where it does not load, the rest is looked at all the same.
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const database = new DatabaseSync(file, { timeout: BUSY_MS });
    try {
      const [[problem] = []] = database.prepare('pragma quick_check(1)').all().map(Object.values);
      if (problem !== 'ok') throw new Error(`${file} is damaged (${String(problem)})`);
      const { present, newest } = await versionsOf(database, file);
      database.exec('begin immediate');
      database.exec('rollback');
      const says = `${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB, whole, version ${present}`;
      if (present === newest) return { finding: { name, state: 'ok', says }, areReadable: true };
      return { finding: { name, state: 'ok', says: `${says}: a start makes it ${newest}` }, areReadable: false };
    } finally {
      database.close();
    }
  } catch (error) {
    const says = messageOf(error).includes(file) ? messageOf(error) : `${file}: ${messageOf(error)}`;
    const todo =
      'Let the service’s user read and write it and its folder, or put back a copy: until then nobody signs in, and no decision is kept.';
    return { finding: { name, state: 'failed', says, todo }, areReadable: false };
  }
}

/** @param keepers how many projects keep texts @param areReadable whether decisions can be asked for */
export async function checkTexts(
  { decisionKeys, ...place }: StorePlace & Pick<Config, 'decisionKeys'>,
  keepers: number,
  areReadable: boolean,
): Promise<Finding> {
  const name = 'texts';
  const kept = `${keepers} ${keepers === 1 ? 'project keeps' : 'projects keep'} texts`;
  const cipher = createTextCipher(decisionKeys);
  if (cipher === undefined && keepers > 0) {
    const todo =
      'Set DECISIONS_KEY ("npx parapet decisions new-key" prints one): until then verdicts are kept without them.';
    return { name, state: 'failed', says: `${kept}, and DECISIONS_KEY is not set`, todo };
  }
  if (!areReadable) return { name, state: 'ok', says: `${kept}; none was opened` };
  const store = await openStore(place);
  try {
    const locked: string[] = [];
    for (const [which, order] of [
      ['oldest', 'asc'],
      ['newest', 'desc'],
    ] as const) {
      const [text] = await store.sql.read<{ id: string; content: Uint8Array }>(
        `select id, content from (select id, content from parapet.decision order by id ${order} limit ${MOST_CANDIDATES}) as candidate
         where content is not null order by id ${order} limit 1`,
      );
      if (text === undefined) return { name, state: 'ok', says: `${kept}; none is kept` };
      if (cipher?.open(text.content, text.id) === undefined) locked.push(which);
    }
    if (locked.length === 0) return { name, state: 'ok', says: `${kept}; the oldest and the newest open` };
    const todo =
      'Add the key that they were encrypted with to DECISIONS_KEY, after a comma: without it nobody reads them.';
    return {
      name,
      state: 'warning',
      says: `${kept}; DECISIONS_KEY does not open the ${locked.join(' and the ')}`,
      todo,
    };
  } catch (error) {
    return { name, state: 'failed', says: messageOf(error), todo: 'See what the line on records says.' };
  } finally {
    await store.close();
  }
}
