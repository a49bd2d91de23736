/** The policy that judges a project's texts in this moment. Decides nothing about a text. */
import { OperatorError, ServiceError } from '../errors.js';
import { policyOfSettings, type PolicySettings, type VerdictPolicy } from '../moderation/verdict-policy.js';
import type { PolicyInForce, PolicyRepository } from './policy-repository.js';
import { resolveFields } from './resolve-policy.js';

export interface PoliciesInForce {
  /**
   * That of this moment, never an earlier one; that of the settings where the project has none.
   *
   * @throws ServiceError `policies_unavailable` while policies cannot be read: a verdict without the policy would be somebody else's
   */
  of(projectId: string): VerdictPolicy;
  /** Whether policies can be read now. One that is damaged fails the texts of its project alone. */
  isAvailable(): boolean;
}

export interface PoliciesInForceDeps {
  readonly policies: Pick<PolicyRepository, 'inForce' | 'check'>;
  readonly settings: PolicySettings;
  /** Called once for every new reason why policies cannot be read; for the log. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

export function createPoliciesInForce({ policies, settings, onProblem }: PoliciesInForceDeps): PoliciesInForce {
  const ownPolicy = policyOfSettings(settings);
  const resolvedOf = new WeakMap<PolicyInForce, VerdictPolicy>();
  /** Why policies could not be read when they were last asked for: by project, and of all. */
  const lastReasons = new Map<string | undefined, string>();

  /** @throws OperatorError */
  function policyOf(projectId: string): VerdictPolicy {
    const kept = policies.inForce(projectId);
    if (kept === undefined) return ownPolicy;
    const policy = resolvedOf.get(kept) ?? resolveFields(settings, kept.policy, kept.version, kept.terms);
    resolvedOf.set(kept, policy);
    return policy;
  }

  /** @returns undefined where policies cannot be read */
  function orNothing<Result>(read: () => Result, projectId?: string): Result | undefined {
    try {
      const result = read();
      lastReasons.delete(projectId);
      return result;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      if (error.message !== lastReasons.get(projectId)) onProblem?.(error.message);
      lastReasons.set(projectId, error.message);
      return undefined;
    }
  }

  return {
    of(projectId) {
      const policy = orNothing(() => policyOf(projectId), projectId);
      if (policy !== undefined) return policy;
      throw new ServiceError('policies_unavailable', 'Policies cannot be read at the moment. Try again.', {
        retryAfterSeconds: 5,
      });
    },
    isAvailable: () => orNothing(() => (policies.check(), true)) === true,
  };
}
