/** What is kept of keys and projects, what is asked for to make them, and the state a key is in. Knows nothing of where it is kept. */
import { z } from 'zod';

const LONGEST_LIFETIME_DAYS = 36_500;
const LONGEST_LIFETIME_MS = LONGEST_LIFETIME_DAYS * 86_400_000;
const LARGEST_RATE_LIMIT = 100_000_000;

export const keyEnvironmentSchema = z.enum(['live', 'test']);
export type KeyEnvironment = z.output<typeof keyEnvironmentSchema>;

// These texts are printed to terminals and logs: control characters could forge lines there or repaint the screen.
export const labelSchema = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must be at most 100 characters')
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u, 'must not contain control characters');

/** Of a new project. Not the one name that JavaScript takes for something else wherever it is used as a member. */
const projectNameSchema = labelSchema.refine((name) => name !== '__proto__', 'must not be __proto__');

// No 0: it could be read as "no limit" or as "no request at all". Null means the limit of the server.
const rateLimitSchema = z
  .int('must be a whole number')
  .min(1, `must be from 1 to ${LARGEST_RATE_LIMIT}`)
  .max(LARGEST_RATE_LIMIT, `must be from 1 to ${LARGEST_RATE_LIMIT}`)
  .nullable();

const timeSchema = z.iso.datetime();

/** Chosen by the caller, who shows it once. Printable ASCII: of anything else nobody could say which bytes were meant. */
export const signingSecretSchema = z
  .string()
  .regex(/^[!-~]{16,256}$/, 'The secret must be 16 to 256 characters of ASCII without blanks.');

/** Loose: members that a newer version added survive when this version writes the record anew. */
export const keyRecordSchema = z.looseObject({
  id: z.string().min(1),
  projectId: z.string().min(1),
  name: labelSchema,
  environment: keyEnvironmentSchema,
  /** First characters of the key, prefix included: enough to recognise it, useless to guess it. */
  start: z.string().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: timeSchema,
  expiresAt: timeSchema.nullable(),
  revokedAt: timeSchema.nullable(),
  /** Written by earlier versions alone: uses are kept apart. */
  lastUsedAt: timeSchema.nullable().optional(),
  rateLimitPerMinute: rateLimitSchema.optional(),
  /** Of a caller that signs its requests in place of sending the key: a signature cannot be checked with a hash of it. */
  signingSecret: signingSecretSchema.optional(),
  /** The id of the key that a rotation put in this one's place. */
  replacedBy: z.string().optional(),
});
export type KeyRecord = Readonly<z.output<typeof keyRecordSchema>>;

/** As it is shown and asked for: with the name that its project has now. */
export type Key = KeyRecord & { readonly project: string; readonly lastUsedAt: string | null };

export const projectRecordSchema = z.looseObject({
  id: z.string().min(1),
  name: labelSchema,
  createdAt: timeSchema,
  archivedAt: timeSchema.nullable(),
});
export type ProjectRecord = Readonly<z.output<typeof projectRecordSchema>>;

export const projectRequestSchema = z.object({ name: projectNameSchema });

const durationSchema = z.number().max(LONGEST_LIFETIME_MS, `must be at most ${LONGEST_LIFETIME_DAYS} days`);
export const overlapSchema = durationSchema.min(0, 'must not be negative');

/** What is needed to make a key; null is "never expires" and "the server's rate limit". */
export const keyRequestSchema = z.object({
  project: projectNameSchema,
  name: labelSchema,
  environment: keyEnvironmentSchema,
  expiresInMs: durationSchema.positive('must be more than 0').nullable(),
  rateLimitPerMinute: rateLimitSchema,
});
export type KeyRequest = Readonly<z.input<typeof keyRequestSchema>>;

/** A revocation counts whatever its time: clocks of two machines may differ, and a revoked key must fail at once. */
export function keyStateAt(record: KeyRecord, now: Date): KeySummary['state'] {
  if (record.revokedAt !== null) return 'revoked';
  return record.expiresAt !== null && now.getTime() >= Date.parse(record.expiresAt) ? 'expired' : 'active';
}

/** What may be shown of a key, by command or page; also the members of the JSON output, in order. A hash never leaves through here. */
export const keySummarySchema = z.object({
  id: z.string(),
  project: z.string(),
  name: z.string(),
  environment: keyEnvironmentSchema,
  start: z.string().meta({ description: 'The first characters of the key.' }),
  state: z.enum(['active', 'revoked', 'expired']),
  createdAt: timeSchema,
  expiresAt: timeSchema.nullable(),
  revokedAt: timeSchema.nullable(),
  lastUsedAt: timeSchema.nullable(),
  rateLimitPerMinute: z.int().nullable(),
  replacedBy: z.string().nullable(),
});
export type KeySummary = Readonly<z.output<typeof keySummarySchema>>;

/** Member by member, not "all but the hash": what a newer version adds to a record may be secret too. */
export function summaryOf(record: Key, now: Date): KeySummary {
  return {
    id: record.id,
    project: record.project,
    name: record.name,
    environment: record.environment,
    start: record.start,
    state: keyStateAt(record, now),
    createdAt: record.createdAt,
    expiresAt: record.expiresAt,
    revokedAt: record.revokedAt,
    lastUsedAt: record.lastUsedAt,
    rateLimitPerMinute: record.rateLimitPerMinute ?? null,
    replacedBy: record.replacedBy ?? null,
  };
}
