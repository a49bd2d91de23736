/** Writes wrong passwords to the audit log, few enough that whoever guesses for weeks pushes nothing else out of it. */
import { messageOf } from '../../errors.js';
import type { AuditLog } from '../../people/audit-log.js';
import { HOUR_MS } from '../../durations.js';

/** Of each server. Those beyond are counted in the next one that is written. */
const MOST_AN_HOUR = 20;
const NOBODY = { id: 'nobody', name: 'nobody' };

interface FailedSignInsDeps {
  readonly audit: Pick<AuditLog, 'append'>;
  readonly now: () => Date;
  readonly onProblem: (problem: string) => void;
}

/** @returns to be told of each. Its `subject` is the id of the account, empty where there is none of the name. Never rejects */
export function createFailedSignIns({ audit, now, onProblem }: FailedSignInsDeps) {
  let hour = 0;
  let written = 0;
  let unwritten = 0;
  return async (subject: string, address: string): Promise<void> => {
    const present = Math.floor(now().getTime() / HOUR_MS);
    if (present !== hour) [hour, written] = [present, 0];
    if (written >= MOST_AN_HOUR) {
      unwritten += 1;
      return;
    }
    written += 1;
    const details = { address, ...(unwritten > 0 && { unwrittenBefore: unwritten }) };
    unwritten = 0;
    await audit
      .append({ actor: NOBODY, action: 'session.refuse', subject, details })
      .catch((error: unknown) => onProblem(`The audit log lacks session.refuse: ${messageOf(error)}`));
  };
}
