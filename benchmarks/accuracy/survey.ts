/** The first reading of a file, before anything is judged: a bad row near the end must not cost hours. */
import { createHash } from 'node:crypto';
import { type DatasetSource, OperatorError, readRows, type Row } from 'parapet/engine';

export interface Survey {
  readonly rows: number;
  /** For each label column, of the texts and labels of all rows. */
  readonly sha256: readonly string[];
}

/** Beyond this the column holds something else than groups, texts for instance. */
const MOST_GROUPS = 500;

/** @throws OperatorError for a row that `check` refuses, and for a file that has no rows or no groups where it should */
export async function surveyRows(source: DatasetSource, check: (row: Row) => void): Promise<Survey> {
  const { label, moreLabels = [] } = source.columns;
  const hashes = (label === undefined ? [] : [label, ...moreLabels]).map(() => createHash('sha256'));
  const groups = new Set<string>();
  let rows = 0;
  for await (const row of readRows(source)) {
    check(row);
    for (const group of row.groups) groups.add(group);
    if (groups.size > MOST_GROUPS) {
      throw new OperatorError(
        `${source.file}: column "${source.columns.group ?? ''}" names more than ${MOST_GROUPS} groups`,
      );
    }
    hashes.forEach((hash, place) => hash.update(`${JSON.stringify([row.text, row.labels[place]])}\n`));
    rows += 1;
  }
  if (rows === 0) throw new OperatorError(`${source.file}: there are no rows`);
  if (source.columns.group !== undefined && groups.size === 0) {
    throw new OperatorError(`${source.file}: column "${source.columns.group}" names no group in any row`);
  }
  return { rows, sha256: hashes.map((hash) => hash.digest('hex')) };
}
