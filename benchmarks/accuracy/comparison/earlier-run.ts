/** Reads the `--json` file of an earlier run. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { OperatorError } from 'parapet/engine';
import type { LabelKind } from '../label-columns.js';
import { resultsSchema, SCHEMA_VERSION } from '../results.js';
import type { EarlierRun } from './comparison.js';

const versioned = z.object({ schemaVersion: z.number() });

/**
 * @param kinds the kinds of label that will be measured
 * @throws OperatorError when the file is missing, is not what this version writes, or has nothing to compare
 */
export async function readEarlierRun(file: string, kinds: readonly LabelKind[]): Promise<EarlierRun> {
  const wrong = (reason: string, cause?: unknown): OperatorError =>
    new OperatorError(`--compare ${file}: ${reason}.`, { cause });
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw wrong('it cannot be read', error);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong('it is not valid JSON', error);
  }
  const version = versioned.safeParse(value).data?.schemaVersion;
  if (version !== undefined && version !== SCHEMA_VERSION) {
    throw wrong(`it has schema version ${version}, and this is for ${SCHEMA_VERSION}: measure the earlier model anew`);
  }
  const parsed = resultsSchema.safeParse(value);
  if (!parsed.success) throw wrong('it was not written by --json', parsed.error);
  const { measured, resampling } = parsed.data;
  if (!measured.some(({ labelKind }) => kinds.includes(labelKind))) {
    const known = measured.map(({ labelKind }) => labelKind).join(', ');
    throw wrong(`it has no figures of ${kinds.join(', ')}, but of ${known === '' ? 'no label' : known}`);
  }
  if (resampling.samples === 0) throw wrong('it has no intervals, being measured with --bootstrap 0');
  return { file, results: parsed.data };
}
