/** How a decision goes over the wire and into files. */
import { z } from 'zod';
import { CATEGORIES } from '../moderation/categories.js';
import type { Decision } from './decision-record.js';
import type { TextCipher } from './text-cipher.js';

const time = z.iso.datetime({ precision: 3 });

export const decisionSchema = z.object({
  id: z.string().meta({ description: 'That of the header X-Decision-Id. Ids are in the order of time.' }),
  at: time,
  requestId: z.string(),
  reference: z
    .string()
    .nullable()
    .meta({ description: "The caller's own name for the text, where its project keeps it." }),
  door: z.string().meta({ description: 'The address that was asked, as in /v1/analyze.' }),
  passed: z.boolean(),
  score: z.int().min(0).max(10),
  categories: z.array(z.enum(CATEGORIES)),
  language: z.string().nullable(),
  policyVersion: z.int().nullable().meta({ description: 'Null where the settings of the service decided.' }),
  deleteAt: time.meta({ description: 'When it is deleted at the latest.' }),
  review: z.string().nullable(),
});
export type WrittenDecision = z.output<typeof decisionSchema>;

/** Not kept, kept but of no concern to the role of who asks, here, or kept under a key that is not here. */
export const TEXT_STATES = ['not kept', 'withheld', 'shown', 'locked'] as const;

export const decisionWithTextSchema = decisionSchema.extend({
  projectId: z.string(),
  keyId: z.string(),
  doubt: z.number().nullable(),
  text: z.string().nullable(),
  textState: z.enum(TEXT_STATES).meta({
    description: '`locked`: no key in DECISIONS_KEY opens it. `withheld`: the role of who asks reads no texts.',
  }),
});
export type DecisionWithText = z.output<typeof decisionWithTextSchema>;

export function writtenDecision(decision: Decision): WrittenDecision {
  const { id, requestId, door, passed, score } = decision;
  return {
    id,
    at: new Date(decision.at).toISOString(),
    requestId,
    reference: decision.reference ?? null,
    door,
    passed,
    score,
    categories: [...decision.categories],
    language: decision.language ?? null,
    policyVersion: decision.policyVersion ?? null,
    deleteAt: new Date(decision.deleteAt).toISOString(),
    review: decision.review ?? null,
  };
}

/** @param reads whether who asks may read texts; then the decision must have been asked for with its text */
export function writtenWithText(decision: Decision, cipher: TextCipher | undefined, reads: boolean): DecisionWithText {
  const { projectId, keyId, doubt = null, content, id } = decision;
  const text = reads && content !== undefined ? (cipher?.open(content, id) ?? null) : null;
  const withoutText = content === undefined ? 'not kept' : 'locked';
  return {
    ...writtenDecision(decision),
    ...{ projectId, keyId, doubt, text },
    textState: !reads ? 'withheld' : text === null ? withoutText : 'shown',
  };
}
