/** The policy that judges a project's texts in this moment. Decides nothing about a text. */
import { OperatorError, ServiceError } from '../errors.js';
import { policyOfSettings, type PolicySettings, type VerdictPolicy } from '../moderation/verdict-policy.js';
import type { PolicyRepository } from './policy-repository.js';
import { resolveFields } from './resolve-policy.js';

export interface PoliciesInForce {
  /**
   * That of this moment, never an earlier one; that of the settings where the project has none.
   *
   * @throws ServiceError `policies_unavailable` while policies cannot be read: a verdict without the policy would be somebody else's
   */
  of(projectId: string): VerdictPolicy;
  /** Whether policies can be read now. */
  isAvailable(): boolean;
}

export interface PoliciesInForceDeps {
  readonly policies: Pick<PolicyRepository, 'inForce' | 'revision'>;
  readonly settings: PolicySettings;
  /** Called once for every new reason why policies cannot be read; for the log. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

export function createPoliciesInForce({ policies, settings, onProblem }: PoliciesInForceDeps): PoliciesInForce {
  const ownPolicy = policyOfSettings(settings);
  let resolved = new Map<string, VerdictPolicy>();
  /** By what is kept, which stays the same object while it says the same: after an edit of one project the others are not resolved again. */
  const resolvedOf = new WeakMap<object, VerdictPolicy>();
  let revision: number | undefined;
  let lastReason: string | undefined;

  /** @throws OperatorError */
  function policyOf(projectId: string): VerdictPolicy {
    const present = policies.revision();
    if (present !== revision) resolved = new Map();
    revision = present;
    const known = resolved.get(projectId);
    if (known !== undefined) return known;
    const kept = policies.inForce(projectId);
    const policy =
      kept === undefined ? ownPolicy : (resolvedOf.get(kept) ?? resolveFields(settings, kept.policy, kept.version));
    if (kept !== undefined) resolvedOf.set(kept, policy);
    resolved.set(projectId, policy);
    return policy;
  }

  /** @returns undefined where policies cannot be read */
  function orNothing<Result>(read: () => Result): Result | undefined {
    try {
      const result = read();
      lastReason = undefined;
      return result;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      if (error.message !== lastReason) onProblem?.(error.message);
      lastReason = error.message;
      return undefined;
    }
  }

  return {
    of(projectId) {
      const policy = orNothing(() => policyOf(projectId));
      if (policy !== undefined) return policy;
      throw new ServiceError('policies_unavailable', 'Policies cannot be read at the moment. Try again.', {
        retryAfterSeconds: 5,
      });
    },
    isAvailable: () => orNothing(() => policies.revision()) !== undefined,
  };
}
