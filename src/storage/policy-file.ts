/** The file of policies: its shape, and how that of earlier releases becomes it. Knows nothing of what a change means. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { policyRecordSchema, type PolicyRecord } from '../policies/policy-record.js';
import type { FileVersion } from './file-version.js';
import { JsonFile } from './json-file.js';

const VERSION = 1;

export interface PolicyFileContents {
  readonly version: typeof VERSION;
  /** By the id of the project, which stays when it is renamed. */
  readonly projects: ReadonlyMap<string, PolicyRecord>;
}

/** @param ownedLike whoever may read the keys must be able to read the policies, whoever made them */
export function openPolicyFile(path: string, ownedLike: () => FileVersion): JsonFile<PolicyFileContents> {
  // Checking 10,000 terms takes milliseconds: after an edit of one project the others are taken over from the reading before.
  let known = new Map<string, PolicyRecord>();
  let seen = new Map<string, PolicyRecord>();
  const record = z.unknown().transform((content, { issues }) => {
    const digest = hash('sha256', JSON.stringify(content), 'base64');
    const { data = known.get(digest), error } = known.has(digest) ? {} : policyRecordSchema.safeParse(content);
    for (const issue of error?.issues ?? []) issues.push({ ...issue, code: 'custom', input: content });
    if (data === undefined) return z.NEVER;
    seen.set(digest, data);
    return data;
  });
  const schema = z.strictObject({
    version: z.literal(VERSION),
    projects: z
      .record(z.string().regex(/^[\w-]{1,100}$/), record)
      .transform((projects) => new Map(Object.entries(projects))),
  });

  return new JsonFile<PolicyFileContents>({
    path,
    name: 'policy file',
    version: VERSION,
    empty: { version: VERSION, projects: new Map() },
    decode: (text) => withVersion(JSON.parse(text)),
    parse(content) {
      known = seen;
      seen = new Map();
      return schema.parse(content);
    },
    encode: ({ version, projects }) => ({ version, projects: Object.fromEntries(projects) }),
    remedy: 'It was left as it is: restore it from a backup, or move it away to do without policies.',
    ownedLike,
  });
}

/** Earlier releases called it `format`. */
function withVersion(content: unknown): unknown {
  const parsed = formatSchema.safeParse(content).data;
  if (parsed === undefined) return content;
  const { format, ...rest } = parsed;
  return { version: format, ...rest };
}

const formatSchema = z.looseObject({ format: z.number() });
