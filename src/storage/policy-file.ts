/** The file of policies: its shape, and how that of earlier releases becomes it. Knows nothing of what a change means. */
import { z } from 'zod';
import { policyRecordSchema, type PolicyRecord } from '../policies/policy-record.js';
import type { FileVersion } from './file-version.js';
import { JsonFile } from './json-file.js';
import { createKnownRecords } from './known-records.js';

const VERSION = 1;

export interface PolicyFileContents {
  readonly version: typeof VERSION;
  /** By the id of the project, which stays when it is renamed. */
  readonly projects: ReadonlyMap<string, PolicyRecord>;
}

/** @param ownedLike whoever may read the keys must be able to read the policies, whoever made them */
export function openPolicyFile(path: string, ownedLike: () => FileVersion): JsonFile<PolicyFileContents> {
  const known = createKnownRecords(policyRecordSchema);
  const schema = z.strictObject({
    version: z.literal(VERSION),
    projects: z
      .record(z.string().regex(/^[\w-]{1,100}$/), known.schema)
      .transform((projects) => new Map(Object.entries(projects))),
  });

  return new JsonFile<PolicyFileContents>({
    path,
    name: 'policy file',
    version: VERSION,
    empty: { version: VERSION, projects: new Map() },
    parse(content) {
      known.begin();
      return schema.parse(withVersion(content));
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
