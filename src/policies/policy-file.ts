/** Reads and changes the file of policies, and never overwrites one that is not understood. Knows nothing of what a change means. */
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../errors.js';
import { besideKeyFile } from '../keys/beside-key-file.js';
import { fileVersionOf, type FileVersion } from '../keys/file-version.js';
import { changeLockedFile, readFileBytes } from '../keys/locked-file.js';
import { policyRecordSchema, type PolicyRecord } from './policy-record.js';

const POLICY_FILE_FORMAT = 1;
const NAME = 'policy file';

const policyFileSchema = z.strictObject({
  format: z.literal(POLICY_FILE_FORMAT),
  /** By the id of the project. */
  projects: z.record(z.string(), policyRecordSchema),
});

/** By the id of the project, which stays when it is renamed. */
export type PolicyRecords = ReadonlyMap<string, PolicyRecord>;

const NO_POLICIES: PolicyRecords = new Map();

/** `policies.json` beside a key file called keys.json; another one's carries its name, so that two key files never share it. */
export function policyFileFor(keysFile: string): string {
  return basename(keysFile) === 'keys.json'
    ? join(dirname(keysFile), 'policies.json')
    : besideKeyFile(keysFile, 'policies.json');
}

export interface PolicyFileRead {
  readonly records: PolicyRecords;
  readonly version: FileVersion;
}

/** A missing file holds no policies. Blocks. @throws OperatorError when there is a file that cannot be read or understood */
export function readPolicyFile(file: string): PolicyFileRead {
  const { bytes, version } = readFileBytes({ file, name: NAME });
  return { records: recordsIn(file, bytes), version };
}

export interface PolicyFileChange<Result> {
  /** Absent where there is nothing to write. */
  readonly next?: PolicyRecords;
  readonly result: Result;
}

/**
 * When it resolves, the change is on the disk and every server sees it. `change` may be called again if the file changed meanwhile.
 *
 * @throws OperatorError when the file is not understood, cannot be written or stays locked; it is then as it was
 */
export function changePolicyFile<Result>(
  keysFile: string,
  change: (current: PolicyRecords) => PolicyFileChange<Result>,
): Promise<Result> {
  const file = policyFileFor(keysFile);
  // The server that may read the keys must be able to read the policies, whoever made them.
  const ownedLike = (): FileVersion => fileVersionOf(keysFile);
  return changeLockedFile<Result>({ file, name: NAME, ownedLike }, (bytes) => {
    const { next, result } = change(recordsIn(file, bytes));
    return Promise.resolve({ result, ...(next && { text: textOf(next) }) });
  });
}

function textOf(records: PolicyRecords): string {
  return `${JSON.stringify({ format: POLICY_FILE_FORMAT, projects: Object.fromEntries(records) }, null, 1)}\n`;
}

function recordsIn(file: string, bytes: Buffer | undefined): PolicyRecords {
  if (bytes === undefined) return NO_POLICIES;
  const content = parsedJson(file, bytes);
  const parsed = policyFileSchema.safeParse(content);
  if (parsed.success) return new Map(Object.entries(parsed.data.projects));
  const [issue] = parsed.error.issues;
  // Said first: a newer format may have any shape.
  if (parsed.error.issues.some(({ path }) => path.join('.') === 'format') && hasFormat(content)) {
    throw new OperatorError(
      `The policy file ${file} is not of format ${POLICY_FILE_FORMAT}, the only one that this Parapet knows. Use the release that wrote it.`,
    );
  }
  throw damaged(file, issue === undefined ? 'it has another shape' : `${issue.path.join('.')}: ${issue.message}`);
}

function hasFormat(content: unknown): boolean {
  return typeof content === 'object' && content !== null && 'format' in content && typeof content.format === 'number';
}

function parsedJson(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw damaged(file, 'it is not valid JSON');
  }
}

function damaged(file: string, what: string): OperatorError {
  return new OperatorError(
    `The policy file ${file} is damaged (${what}). It was left as it is: restore it from a backup, or move it away to do without policies.`,
  );
}
