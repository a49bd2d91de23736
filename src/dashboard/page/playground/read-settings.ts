/** Reads a policy by the schema of the service. */
import './zod-without-eval.js';
import { policyFieldsSchema, type PolicyFields } from '../../../policies/policy-schema.js';

export function policyIn(json: string): PolicyFields | undefined {
  try {
    return policyFieldsSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
