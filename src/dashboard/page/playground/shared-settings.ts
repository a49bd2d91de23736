/** Settings that are tried, as a part of an address: all that a policy says but its terms. The text is no part of them. */
import type { PolicyFields } from '../../../policies/policy-schema.js';

export function settingsIn(policy: PolicyFields): string {
  return JSON.stringify({ ...policy, blockedTerms: undefined, ignoredTerms: undefined });
}

/**
 * The schema of the service is loaded only where there is such a link. What is no policy is none.
 *
 * @param policy whose terms stay
 */
export async function withSettings(policy: PolicyFields, settings: string): Promise<PolicyFields | undefined> {
  const { policyFieldsSchema } = await import('../../../policies/policy-schema.js');
  try {
    const { blockedTerms, ignoredTerms } = policy;
    const { data } = policyFieldsSchema.safeParse(JSON.parse(settings));
    return data && { ...data, blockedTerms, ignoredTerms };
  } catch {
    return undefined;
  }
}
