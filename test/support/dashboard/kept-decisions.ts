/** Decisions that are kept as capture would keep them, to be looked at. */
import { decisionIdAt, type Decision } from '../../../src/decisions/decision-record.js';
import { createDecisionRepository } from '../../../src/decisions/decision-repository.js';
import type { SqlDatabase } from '../../../src/storage/sql/sql-database.js';
import { createTextCipher } from '../../../src/decisions/text-cipher.js';

/** Of services that keep texts. */
export const DECISION_KEYS = [Buffer.alloc(32, 1)];
const CIPHER = createTextCipher(DECISION_KEYS);

export interface KeptDecision extends Partial<Decision> {
  readonly text?: string;
}

/** @returns their ids; each is as if it were a second after the one before it */
export async function keepDecisions(
  records: SqlDatabase,
  projectId: string,
  decisions: readonly KeptDecision[],
): Promise<string[]> {
  const start = Date.now();
  const kept = decisions.map(({ text, ...decision }, index): Decision => {
    const at = start + index * 1000;
    const id = decisionIdAt(at);
    return {
      id,
      projectId,
      keyId: 'key_one',
      at,
      requestId: `request-${index}`,
      reference: undefined,
      door: '/v1/analyze',
      passed: false,
      score: 8,
      categories: ['insult', 'toxic'],
      language: 'en',
      policyVersion: 1,
      content: text === undefined ? undefined : CIPHER?.seal(text, id),
      deleteAt: at + 1e9,
      review: 'open',
      doubt: 0.5,
      ...decision,
    };
  });
  await createDecisionRepository(records).insertMany(kept);
  return kept.map(({ id }) => id);
}
