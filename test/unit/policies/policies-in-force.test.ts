/** Promises of the policy that judges: that of this moment, whoever wrote it, and none while policies cannot be read. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPoliciesInForce } from '../../../src/policies/policies-in-force.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { SETTINGS } from '../../support/settings.js';
import { freshPolicies } from '../storage/policy-folder.js';

const BY = { by: 'command line' } as const;

describe('policies in force', () => {
  it('stay the same object where the policy of another project was changed: its terms are not read again', async () => {
    const { policies, shop, forum, keysFile } = await freshPolicies();
    await policies.edit(shop, () => ({ blockedTerms: ['widgeto'] }), BY);
    const inForce = createPoliciesInForce({ policies: openFileStore(keysFile).policies, settings: SETTINGS });
    const before = inForce.of(shop);
    await policies.edit(forum, () => ({ passMaxScore: 1 }), BY);
    expect(inForce.of(forum)).toMatchObject({ passMaxScore: 1 });
    expect(inForce.of(shop)).toBe(before);
  });

  it('are none for a project while its file is not understood, and come back with it', async () => {
    const { policies, shop, forum, file, keysFile } = await freshPolicies();
    await policies.edit(shop, () => ({ passMaxScore: 1 }), BY);
    const problems: string[] = [];
    const inForce = createPoliciesInForce({
      policies: openFileStore(keysFile).policies,
      settings: SETTINGS,
      onProblem: (each) => problems.push(each),
    });
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, -20));
    for (let question = 0; question < 3; question += 1) {
      expect(() => inForce.of(shop)).toThrow(expect.objectContaining({ code: 'policies_unavailable' }) as Error);
    }
    expect(inForce.of(forum)).toMatchObject({ passMaxScore: 3 });
    expect(problems).toEqual([expect.stringContaining('damaged')]);
    writeFileSync(file, whole);
    expect(inForce.of(shop)).toMatchObject({ passMaxScore: 1 });
  });
});
