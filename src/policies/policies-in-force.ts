/** The policy that judges a project's texts in this moment. Decides nothing about a text. */
import { OperatorError, ServiceError } from '../errors.js';
import { policyOfSettings, type PolicySettings, type VerdictPolicy } from '../moderation/verdict-policy.js';
import type { PolicyInForce, PolicyRepository } from './policy-repository.js';
import { resolveFields } from './resolve-policy.js';

export interface PoliciesInForce {
  /**
   * That of this moment, never an earlier one; that of the settings where the project has none. A promise only where the repository answers
   * with one.
   *
   * @throws ServiceError `policies_unavailable` while policies cannot be read: a verdict without the policy would be somebody else's
   */
  readonly of: (projectId: string) => VerdictPolicy | Promise<VerdictPolicy>;
}

export interface PoliciesInForceDeps {
  readonly policies: Pick<PolicyRepository, 'inForce'>;
  readonly settings: PolicySettings;
  /** Called once for every new reason why policies cannot be read; for the log. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

export function createPoliciesInForce({ policies, settings, onProblem }: PoliciesInForceDeps): PoliciesInForce {
  const ownPolicy = policyOfSettings(settings);
  const resolvedOf = new WeakMap<PolicyInForce, VerdictPolicy>();
  /** Why policies could not be read when they were last asked for, by project. */
  const lastReasons = new Map<string, string>();

  function policyOf(projectId: string, kept: PolicyInForce | undefined): VerdictPolicy {
    lastReasons.delete(projectId);
    if (kept === undefined) return ownPolicy;
    const policy = resolvedOf.get(kept) ?? resolveFields(settings, kept.policy, kept.version, kept.terms);
    resolvedOf.set(kept, policy);
    return policy;
  }

  function refusalOf(projectId: string, error: unknown): unknown {
    if (!(error instanceof OperatorError)) return error;
    if (error.message !== lastReasons.get(projectId)) onProblem?.(error.message);
    lastReasons.set(projectId, error.message);
    return new ServiceError('policies_unavailable', 'Policies cannot be read at the moment. Try again.', {
      retryAfterSeconds: 5,
    });
  }

  return {
    of(projectId) {
      try {
        const kept = policies.inForce(projectId);
        if (!(kept instanceof Promise)) return policyOf(projectId, kept);
        return kept.then(
          (read) => policyOf(projectId, read),
          (error: unknown) => {
            throw refusalOf(projectId, error);
          },
        );
      } catch (error) {
        throw refusalOf(projectId, error);
      }
    },
  };
}
