/** Texts are kept encrypted or not at all. Pure. */
import { z } from 'zod';
import { StoreRefusal } from '../errors.js';

const keepsTexts = z.looseObject({ keep: z.looseObject({ what: z.literal('texts') }) });

/** @returns the policy, whose other fields may be anything @throws StoreRefusal where it keeps texts and there is no key to encrypt them */
export function refuseTextsWithoutKey<Policy>(policy: Policy, hasKey: boolean): Policy {
  if (hasKey || !keepsTexts.safeParse(policy).success) return policy;
  throw new StoreRefusal(
    'invalid',
    'keep.what must not be "texts" without DECISIONS_KEY, which encrypts them: set it to what "npx parapet decisions new-key" prints, or keep verdicts.',
  );
}
