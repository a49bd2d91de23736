/** What a store is made of when it moves to another one, item by item. All but sessions. Knows neither files nor databases. */
import { z } from 'zod';
import { parseAdminPasswordHash } from '../../admin-password.js';
import { OperatorError } from '../../errors.js';
import { keyRecordSchema, projectRecordSchema } from '../../keys/key-record.js';
import { policyRecordSchema } from '../../policies/policy-record.js';
import { talliesSchema } from '../statistics/earlier-statistics.js';
import { rowItemSchema } from '../sql/record-rows.js';

/** A project comes before its keys and its policy. */
export const storedItemSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('project'), project: projectRecordSchema }),
  /** With its hash, and the secret of a caller that signs. */
  z.strictObject({ kind: z.literal('key'), key: keyRecordSchema }),
  /** With its history. */
  z.strictObject({ kind: z.literal('policy'), projectId: z.string(), record: policyRecordSchema }),
  z.strictObject({
    kind: z.literal('password'),
    hash: z.string().refine((text) => parseAdminPasswordHash(text) !== undefined, 'is no hash'),
  }),
  /** When a key was last used. */
  z.strictObject({ kind: z.literal('use'), keyId: z.string(), at: z.iso.datetime() }),
  /** Of exports of earlier releases alone. */
  z.strictObject({
    kind: z.literal('statistics'),
    period: z.enum(['hours', 'days']),
    start: z.iso.datetime(),
    /** By the id of the key. */
    tallies: talliesSchema,
  }),
  rowItemSchema,
]);
export type StoredItem = z.output<typeof storedItemSchema>;

/** @param location of the store that cannot take what another exported */
export function notEmpty(location: string): OperatorError {
  return new OperatorError(
    `The store ${location} is not empty: there are projects or a password in it. Import into a new one: set PARAPET_HOME to a folder that is not there yet, or DATABASE_URL to an empty database.`,
  );
}

export function contradiction(what: string): OperatorError {
  return new OperatorError(`The export contradicts itself (${what}). Nothing was changed.`);
}
