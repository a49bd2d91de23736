/** The files of policies: their shape, how that of earlier releases becomes it, and what judging needs of one. */
import { z } from 'zod';
import type { PolicyInForce } from '../policies/policy-repository.js';
import { policyRecordSchema, type PolicyRecord } from '../policies/policy-record.js';
import { writtenTermsOf, type WrittenTerms } from '../policies/resolve-policy.js';
import { JsonFile, type JsonFileOptions } from './json-file.js';

/** What may be sent to another thread. */
export interface PolicyRead extends Pick<PolicyInForce, 'version' | 'policy'> {
  readonly terms: WrittenTerms | undefined;
}

export function policyReadOf(record: PolicyRecord | undefined): PolicyRead | undefined {
  if (record === undefined) return undefined;
  const { blockedTerms, ignoredTerms, ...policy } = record.policy;
  return { version: record.version, policy, terms: writtenTermsOf({ blockedTerms, ignoredTerms }) };
}

/** That of a project, where it has one. */
export interface PolicyFileContents {
  readonly version: 1;
  readonly record: PolicyRecord | undefined;
}

type Place = Pick<JsonFileOptions<never>, 'path' | 'ownedLike'>;

const REMEDY = 'It was left as it is: restore it from a backup, or move it away to do without';

export function openPolicyFile(place: Place): JsonFile<PolicyFileContents> {
  const schema = z.strictObject({ version: z.literal(1), record: policyRecordSchema });
  return new JsonFile<PolicyFileContents>({
    ...place,
    name: 'policy file',
    version: 1,
    empty: { version: 1, record: undefined },
    parse: (content) => schema.parse(content),
    remedy: `${REMEDY} the policy.`,
  });
}

/** All policies in one file, as earlier releases have them. */
export interface EarlierFileContents {
  readonly version: 1 | typeof MOVED;
  /** By the id of the project. */
  readonly projects: ReadonlyMap<string, PolicyRecord>;
}

/** Of the file whose policies have files of their own. */
export const MOVED = 2;

export const PROJECT_ID = /^[\w-]{1,100}$/;

export function openEarlierFile(place: Place): JsonFile<EarlierFileContents> {
  const schema = z.strictObject({
    version: z.literal([1, MOVED]),
    projects: z
      .record(z.string().regex(PROJECT_ID), policyRecordSchema)
      .transform((projects) => new Map(Object.entries(projects))),
  });
  return new JsonFile<EarlierFileContents>({
    ...place,
    name: 'policy file',
    version: MOVED,
    empty: { version: 1, projects: new Map() },
    parse: (content) => schema.parse(withVersion(content)),
    encode: ({ version, projects }) => ({ version, projects: Object.fromEntries(projects) }),
    remedy: `${REMEDY} policies.`,
  });
}

/** Called `format` once. */
function withVersion(content: unknown): unknown {
  const parsed = formatSchema.safeParse(content).data;
  if (parsed === undefined) return content;
  const { format, ...rest } = parsed;
  return { version: format, ...rest };
}

const formatSchema = z.looseObject({ format: z.number() });
