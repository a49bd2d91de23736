/** Texts are kept encrypted or not at all. Pure. */
import { StoreRefusal } from '../errors.js';
import type { PolicyFields } from './policy-schema.js';

/** For where there is no key that encrypts them. @throws StoreRefusal where the policy keeps texts */
export function refuseKeptTexts({ keep }: PolicyFields): void {
  if (keep?.what !== 'texts') return;
  throw new StoreRefusal(
    'invalid',
    'keep.what must not be "texts" without DECISIONS_KEY, which encrypts them: set it to what "npx parapet decisions new-key" prints, or keep verdicts.',
  );
}
