/** Policies in the database with their history, and what is kept of them for requests: all but their lists of terms. */
import { z } from 'zod';
import { OperatorError, ServiceError } from '../../errors.js';
import { findProject } from '../../keys/projects.js';
import { policyRecordSchema, type PolicyRecord } from '../../policies/policy-record.js';
import type { PolicyInForce, PolicyRepository } from '../../policies/policy-repository.js';
import { policyFieldsSchema } from '../../policies/policy-schema.js';
import { historyOf, policyChanges, storedOf } from '../../policies/policy-versions.js';
import { writtenTermsOf } from '../../policies/resolve-policy.js';
import type { MakeChange } from './changes.js';
import type { Database, Sql, Transaction } from './database.js';
import type { Freshness } from './freshness.js';
import { Kept } from './kept.js';
import { projectsIn } from './projects.js';

const MOST_KEPT = 10_000;
/** A request waits for it. */
const READ_DEADLINE_MS = 1000;

export interface PostgresPoliciesDeps {
  readonly database: Database;
  readonly change: MakeChange;
  readonly freshness: Pick<Freshness, 'onChange' | 'refuseWhileAway'>;
  readonly now: () => Date;
}

export function createPostgresPolicies({ database, change, freshness, now }: PostgresPoliciesDeps): PolicyRepository {
  const kept = new Kept<PolicyInForce>({ most: MOST_KEPT, read: inForceOf });
  freshness.onChange((changes) => {
    if (changes === 'all') kept.drop();
    else {
      const changed = new Set(changes.filter(({ kind }) => kind === 'policy').map(({ id }) => id));
      if (changed.size > 0) kept.drop((_, projectId) => changed.has(projectId));
    }
  });

  async function inForceOf(projectId: string): Promise<PolicyInForce | undefined> {
    freshness.refuseWhileAway();
    const [row] = await database.read(
      (sql) => sql<InForceRow[]>`
        select version, fields, terms_digest, terms_characters from parapet.policy where project_id = ${projectId}`,
      READ_DEADLINE_MS,
    );
    if (row === undefined) return undefined;
    const { version, fields, termsDigest: digest, termsCharacters: characters } = row;
    const lists = () => listsOf(projectId, digest);
    return {
      version,
      policy: understood(policyFieldsSchema.omit({ blockedTerms: true, ignoredTerms: true }), fields),
      terms: digest === null || characters === null ? undefined : Object.freeze({ digest, characters, lists }),
    };
  }

  /** @throws ServiceError where they are changed, which is seldom: what is in force was read a moment ago */
  async function listsOf(projectId: string, digest: string | null): Promise<string> {
    const [row] = await database.read(
      (sql) => sql<{ lists: string | null; termsDigest: string | null }[]>`
        select terms::text as lists, terms_digest from parapet.policy where project_id = ${projectId}`,
    );
    if (row !== undefined && row.lists !== null && row.termsDigest === digest) return row.lists;
    throw new ServiceError('model_not_ready', 'The terms of the project were just changed. Try again.', {
      retryAfterSeconds: 1,
    });
  }

  return {
    inForce: (projectId) => kept.of(projectId),
    get: async (projectId) => storedOf(projectId, await database.read((sql) => shownRecordIn(sql, projectId))),
    history: async (projectId) => historyOf(await database.read((sql) => shownRecordIn(sql, projectId))),
    ...policyChanges(now, (projectId, next) =>
      change(async (sql, note) => {
        const before = await shownRecordIn(sql, projectId);
        const record = next(before);
        if (record === undefined) return storedOf(projectId, before);
        await writeRecord(sql, projectId, record);
        note('policy', projectId);
        return storedOf(projectId, record);
      }),
    ),
  };
}

interface InForceRow {
  readonly version: number;
  readonly fields: unknown;
  readonly termsDigest: string | null;
  readonly termsCharacters: number | null;
}

interface PolicyRow {
  readonly version: number;
  readonly at: Date;
  readonly by: string;
  readonly restored: number | null;
  readonly fields: object;
  /** As Terms have them. */
  readonly terms: readonly [blocked: readonly string[], ignored: readonly string[]] | null;
  readonly earlier: unknown;
}

export async function recordIn(sql: Sql | Transaction, projectId: string): Promise<PolicyRecord | undefined> {
  const [row] = await sql<PolicyRow[]>`
    select version, at, by, restored, fields, terms, earlier from parapet.policy where project_id = ${projectId}`;
  if (row === undefined) return undefined;
  const { version, at, by, restored, fields, terms, earlier } = row;
  const [blockedTerms = [], ignoredTerms = []] = terms ?? [];
  return understood(policyRecordSchema, {
    version,
    at: at.toISOString(),
    by,
    ...(restored !== null && { restored }),
    policy: {
      ...fields,
      ...(blockedTerms.length > 0 && { blockedTerms }),
      ...(ignoredTerms.length > 0 && { ignoredTerms }),
    },
    earlier,
  });
}

/** @throws StoreRefusal when there is no such project */
async function shownRecordIn(sql: Sql | Transaction, projectId: string): Promise<PolicyRecord | undefined> {
  findProject(await projectsIn(sql), projectId);
  return recordIn(sql, projectId);
}

export async function writeRecord(sql: Transaction, projectId: string, record: PolicyRecord): Promise<void> {
  const { version, at, by, restored, earlier } = record;
  const fields = { ...record.policy, blockedTerms: undefined, ignoredTerms: undefined };
  const terms = writtenTermsOf(record.policy);
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::json`;
  await sql`delete from parapet.policy where project_id = ${projectId}`;
  await sql`
    insert into parapet.policy
      (project_id, version, at, by, restored, fields, terms, terms_digest, terms_characters, earlier)
    values (${projectId}, ${version}, ${at}, ${by}, ${restored ?? null}, ${json(fields)}, ${terms?.lists ?? null}::text::json,
      ${terms?.digest ?? null}, ${terms?.characters ?? null}, ${json(earlier)})`;
}

/** Strict: a member that is not understood would be a rule that silently does not hold. */
function understood<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OperatorError(
    `The policy of a project is not understood (${issue?.path.join('.') ?? ''}). A newer release has written it: use that one.`,
  );
}
