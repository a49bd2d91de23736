/**
 * The policy of a project as the file has it now, at the price of one stat a question: what makes a change hold at once in every process.
 * Decides nothing about a text.
 */
import { OperatorError, ServiceError } from '../errors.js';
import { fileVersionOf, isSameVersion, type FileVersion } from '../keys/file-version.js';
import { errorCodeOf } from '../keys/system-error.js';
import { policyOfSettings, type PolicySettings, type VerdictPolicy } from '../moderation/verdict-policy.js';
import { createPolicyFile, policyFileFor, PolicyFileDamage, type PresentPolicy } from './policy-file.js';
import { resolveFields } from './resolve-policy.js';

export interface PoliciesInForce {
  /**
   * That of this moment, never an earlier one; that of the settings where the project has none.
   *
   * @throws ServiceError `policies_unavailable` while the file cannot be understood: a verdict without the policy would be somebody else's
   */
  of(projectId: string): VerdictPolicy;
  /** Whether the file can be understood now. A missing one can: it holds no policies. */
  isAvailable(): boolean;
  /** For the start of a server. @throws OperatorError that says what is wrong with the file */
  assertAvailable(): void;
}

export interface PoliciesInForceDeps {
  readonly keysFile: string;
  readonly settings: PolicySettings;
  /** Called once for every new reason why the file cannot be understood; for the log. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

type Reading =
  | { readonly status: 'loaded'; readonly present: ReadonlyMap<string, PresentPolicy> }
  | { readonly status: 'unavailable'; readonly reason: string };

/** As key-list.ts does with keys: a stat takes about 1 µs, and watching the file would leave a moment in which the old policy holds. */
export function createPoliciesInForce({ keysFile, settings, onProblem }: PoliciesInForceDeps): PoliciesInForce {
  const path = policyFileFor(keysFile);
  const file = createPolicyFile(keysFile);
  const ownPolicy = policyOfSettings(settings);
  let last: { readonly reading: Reading; readonly version: FileVersion } | undefined;
  let lastReason: string | undefined;
  const resolved = new WeakMap<PresentPolicy, VerdictPolicy>();

  function current(): Reading {
    let version: FileVersion;
    try {
      version = fileVersionOf(path);
      if (last !== undefined && isSameVersion(version, last.version)) return last.reading;
      const read = file.readPresent();
      return keep({ status: 'loaded', present: read.policies }, read.version);
    } catch (error) {
      const reading = { status: 'unavailable', reason: reasonOf(error, path) } as const;
      if (error instanceof PolicyFileDamage) return keep(reading, version);
      // Not remembered: the cause may pass without a trace on the file (too many open files, say).
      last = undefined;
      return report(reading);
    }
  }

  function keep(reading: Reading, version: FileVersion): Reading {
    last = { reading, version };
    return report(reading);
  }

  function report(reading: Reading): Reading {
    const reason = reading.status === 'unavailable' ? reading.reason : undefined;
    if (reason !== undefined && reason !== lastReason) onProblem?.(reason);
    lastReason = reason;
    return reading;
  }

  return {
    of(projectId) {
      const reading = current();
      if (reading.status === 'unavailable') {
        throw new ServiceError('policies_unavailable', 'Policies cannot be read at the moment. Try again.', {
          retryAfterSeconds: 5,
        });
      }
      const present = reading.present.get(projectId);
      if (present === undefined) return ownPolicy;
      const policy = resolved.get(present) ?? resolveFields(settings, present.policy, present.version);
      resolved.set(present, policy);
      return policy;
    },
    isAvailable: () => current().status === 'loaded',
    assertAvailable() {
      const reading = current();
      if (reading.status === 'unavailable') throw new OperatorError(reading.reason);
    },
  };
}

function reasonOf(error: unknown, file: string): string {
  return error instanceof OperatorError ? error.message : `Cannot read ${file} (${errorCodeOf(error) ?? 'unknown'}).`;
}
