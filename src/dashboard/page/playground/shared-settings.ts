/** Settings that are tried, as a part of an address: all that a policy says but its terms. The text is no part of them. */
import type { PolicyFields } from '../../../policies/policy-schema.js';

export function settingsIn(policy: PolicyFields): string {
  return JSON.stringify({ ...policy, blockedTerms: undefined, ignoredTerms: undefined });
}

/** @param policy whose terms stay @returns undefined of what is no policy */
export async function withSettings(policy: PolicyFields, settings: string): Promise<PolicyFields | undefined> {
  // The schema of the service is loaded only where there is such a link.
  const { policyIn } = await import('./read-settings.js');
  const { blockedTerms, ignoredTerms } = policy;
  const found = policyIn(settings);
  return found && { ...found, blockedTerms, ignoredTerms };
}
