/** Reads and changes the file of policies, and never overwrites one that is not understood. Knows nothing of what a change means. */
import { hash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../errors.js';
import { besideKeyFile } from '../keys/beside-key-file.js';
import { fileVersionOf, type FileVersion } from '../keys/file-version.js';
import { changeLockedFile, readFileBytes } from '../keys/locked-file.js';
import { nextTurn } from '../next-turn.js';
import { projectLines, textOfLines } from './policy-lines.js';
import { policyRecordSchema, type PolicyRecord } from './policy-record.js';

const POLICY_FILE_FORMAT = 1;
const NAME = 'policy file';

const policyFileSchema = z.strictObject({
  format: z.literal(POLICY_FILE_FORMAT),
  /** By the id of the project, which stays when it is renamed. */
  projects: z.record(z.string().regex(/^[\w-]{1,100}$/), policyRecordSchema),
});

/** `policies.json` beside a key file called keys.json; another one's carries its name, so that two key files never share it. */
export function policyFileFor(keysFile: string): string {
  return basename(keysFile) === 'keys.json'
    ? join(dirname(keysFile), 'policies.json')
    : besideKeyFile(keysFile, 'policies.json');
}

/** What is wrong is in the file: it will not pass until that changes. */
export class PolicyFileDamage extends OperatorError {}

/** Without its history, which takes as much memory and is of no use to a verdict. */
export type PresentPolicy = Pick<PolicyRecord, 'version' | 'policy'>;

export interface PolicyFileChange<Result> {
  /** Absent where there is nothing to write. */
  readonly next?: PolicyRecord | undefined;
  readonly result: Result;
}

/** What was understood once is known by its digest: after an edit of one project the others are not parsed again. */
export interface PolicyFile {
  /**
   * By the id of the project: the same object as long as it is the same policy. A missing file holds none. Blocks.
   *
   * @throws PolicyFileDamage when it is not understood; OperatorError when it cannot be read
   */
  readPresent(): { readonly policies: ReadonlyMap<string, PresentPolicy>; readonly version: FileVersion };
  /** With its history. Blocks. @throws OperatorError when the file cannot be read or understood, wholly */
  readRecord(projectId: string): PolicyRecord | undefined;
  /**
   * When it resolves, the change is on the disk and every server sees it. `change` may be called again if the file changed meanwhile.
   *
   * @throws OperatorError when the file is not understood, cannot be written or stays locked; it is then as it was
   */
  change<Result>(
    projectId: string,
    change: (before: PolicyRecord | undefined) => PolicyFileChange<Result>,
  ): Promise<Result>;
}

interface Kept {
  readonly digest: string;
  readonly json: Buffer;
  readonly present: PresentPolicy;
}

export function createPolicyFile(keysFile: string): PolicyFile {
  const file = policyFileFor(keysFile);
  let known: ReadonlyMap<string, Omit<Kept, 'json'>> = new Map();

  function understood(bytes: Buffer | undefined): ReadonlyMap<string, Kept> {
    const kept = bytes === undefined ? new Map<string, Kept>() : (keptInLines(bytes) ?? keptInJson(file, bytes));
    known = new Map([...kept].map(([id, { digest, present }]) => [id, { digest, present }]));
    return kept;
  }

  /** @returns undefined where some line is not understood: what is wrong with the file is for the whole to say */
  function keptInLines(bytes: Buffer): Map<string, Kept> | undefined {
    const lines = projectLines(bytes, POLICY_FILE_FORMAT);
    if (lines === undefined) return undefined;
    const kept = new Map<string, Kept>();
    for (const { id, json } of lines) {
      const digest = digestOf(json);
      const same = known.get(id);
      const present = same?.digest === digest ? same.present : presentIn(recordOrNothing(json));
      if (present === undefined) return undefined;
      kept.set(id, { digest, json, present });
    }
    return kept;
  }

  return {
    readPresent() {
      const { bytes, version } = readFileBytes({ file, name: NAME });
      return { policies: new Map([...understood(bytes)].map(([id, { present }]) => [id, present])), version };
    },

    readRecord(projectId) {
      const kept = understood(readFileBytes({ file, name: NAME }).bytes).get(projectId);
      return kept && recordOrNothing(kept.json);
    },

    change(projectId, change) {
      // The server that may read the keys must be able to read the policies, whoever made them.
      const ownedLike = (): FileVersion => fileVersionOf(keysFile);
      return changeLockedFile({ file, name: NAME, ownedLike }, async (bytes) => {
        const kept = understood(bytes);
        // With 20,000 terms each step takes some 20 ms: others are answered in between.
        await nextTurn();
        const before = kept.get(projectId);
        const record = before && recordOrNothing(before.json);
        await nextTurn();
        const { next, result } = change(record);
        if (next === undefined) return { result };
        await nextTurn();
        const lines = new Map([...kept].map(([id, { json }]) => [id, json.toString('utf8')]));
        lines.set(projectId, JSON.stringify(next));
        return { result, text: textOfLines(POLICY_FILE_FORMAT, lines) };
      });
    },
  };
}

function digestOf(json: Buffer): string {
  return hash('sha256', json, 'base64');
}

function recordOrNothing(json: Buffer): PolicyRecord | undefined {
  try {
    return policyRecordSchema.safeParse(JSON.parse(json.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function presentIn(record: PolicyRecord | undefined): PresentPolicy | undefined {
  return record && { version: record.version, policy: record.policy };
}

function keptInJson(file: string, bytes: Buffer): Map<string, Kept> {
  const content = parsedJson(file, bytes);
  const parsed = policyFileSchema.safeParse(content);
  if (!parsed.success) throw notUnderstood(file, content, parsed.error);
  return new Map(
    Object.entries(parsed.data.projects).map(([id, record]) => {
      const json = Buffer.from(JSON.stringify(record));
      const { version, policy } = record;
      return [id, { digest: digestOf(json), json, present: { version, policy } }];
    }),
  );
}

function notUnderstood(file: string, content: unknown, { issues }: z.ZodError): PolicyFileDamage {
  // Said first: a newer format may have any shape.
  if (issues.some(({ path }) => path.join('.') === 'format') && hasFormat(content)) {
    return new PolicyFileDamage(
      `The policy file ${file} is not of format ${POLICY_FILE_FORMAT}, the only one that this Parapet knows. Use the release that wrote it.`,
    );
  }
  const [issue] = issues;
  return damaged(file, issue === undefined ? 'it has another shape' : `${issue.path.join('.')}: ${issue.message}`);
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

function damaged(file: string, what: string): PolicyFileDamage {
  return new PolicyFileDamage(
    `The policy file ${file} is damaged (${what}). It was left as it is: restore it from a backup, or move it away to do without policies.`,
  );
}
