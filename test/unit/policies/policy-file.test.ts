/** Promises of the file of policies: private, whole, never overwritten when it is not understood, and of no two key files. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/errors.js';
import { createKeyStore } from '../../../src/keys/key-store.js';
import { policyFileFor } from '../../../src/policies/policy-file.js';
import { createPolicyStore } from '../../../src/policies/policy-store.js';
import { createPoliciesInForce } from '../../../src/policies/policies-in-force.js';
import { freshPolicies, SETTINGS } from './policy-folder.js';

const BY = { by: 'command line' } as const;

describe('policy file', () => {
  it('is policies.json beside keys.json, and carries the name of any other key file', () => {
    expect(policyFileFor('data/keys.json')).toBe(join('data', 'policies.json'));
    expect(policyFileFor('data/team-a.json')).toBe(join('data', 'team-a.policies.json'));
    expect(policyFileFor('data/keys')).toBe(join('data', 'keys.policies.json'));
    expect(policyFileFor('data/policies.json')).toBe(join('data', 'policies.policies.json'));
  });

  it('has the rights of a key file, and leaves neither temporary files nor a lock behind', async () => {
    const { policies, shop, file, keysFile } = await freshPolicies();
    await policies.edit(shop, () => ({ passMaxScore: 1 }), BY);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file)).sort()).toEqual(['keys.json', 'policies.json']);
    chmodSync(keysFile, 0o640);
    chmodSync(file, 0o600);
    await policies.edit(shop, () => ({ passMaxScore: 2 }), BY);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.platform === 'win32')('can be read by whoever may read the keys', async () => {
    const { policies, shop, file, keysFile } = await freshPolicies();
    chmodSync(keysFile, 0o640);
    await policies.edit(shop, () => ({ passMaxScore: 1 }), BY);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it.each([
    ['half a file', '{"format":1,"projects":{"prj_a":{"version":1,"secretpa', 'damaged (it is not valid JSON)'],
    ['an empty file', '', 'damaged (it is not valid JSON)'],
    ['null', 'null', 'damaged'],
    ['another shape', '{"format":1,"projects":[]}', 'damaged (projects: '],
    ['no format', '{"projects":{}}', 'damaged (format: '],
    ['a field that it does not know', recordWith({ secretly: 1 }), 'damaged (projects.prj_a.policy: '],
    ['a field out of range', recordWith({ passMaxScore: 11 }), 'damaged (projects.prj_a.policy.passMaxScore: '],
    ['a newer format', '{"format":2,"policies":[{"name":"secretpa"}]}', 'format 1'],
  ])('refuses %s with its name and a way out, and leaves it as it is', async (_, text, expected) => {
    const { policies, shop, file, keysFile } = await freshPolicies();
    writeFileSync(file, text);
    const inForce = createPoliciesInForce({ keysFile, settings: SETTINGS });
    for (const attempt of [
      () => policies.edit(shop, () => ({ passMaxScore: 1 }), BY),
      () => policies.restore(shop, 0, BY),
      async () => Promise.resolve(policies.get(shop)),
      async () => Promise.resolve(policies.history(shop)),
      () => Promise.resolve().then(() => inForce.assertAvailable()),
    ]) {
      const error: unknown = await attempt().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OperatorError);
      expect(String(error)).toContain(file);
      expect(String(error)).toContain(expected);
      expect(String(error)).not.toContain('secretpa');
    }
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.skipIf(process.platform === 'win32').each([
    ['a FIFO', (file: string) => spawnSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdirSync(file)],
    ['a device', (file: string) => symlinkSync('/dev/zero', file)],
  ])('is never %s', async (kind, make) => {
    const { policies, shop, file } = await freshPolicies();
    make(file);
    expect(() => policies.get(shop)).toThrow(`is ${kind} and not a regular file`);
    await expect(policies.edit(shop, () => ({ passMaxScore: 1 }), BY)).rejects.toThrow(`is ${kind} and not`);
  });

  it('says that it cannot be read, and why', async () => {
    const { policies, shop, file } = await freshPolicies();
    symlinkSync(file, file);
    expect(() => policies.get(shop)).toThrow(`Cannot read the policy file ${file} (ELOOP)`);
    await expect(policies.edit(shop, () => ({ passMaxScore: 1 }), BY)).rejects.toThrow(
      `Cannot write the policy file ${file} (ELOOP)`,
    );
  });

  it('is understood in any form of the same JSON, and written in its own by the next edit', async () => {
    const { policies, shop, forum, file, keysFile } = await freshPolicies();
    const inForce = createPoliciesInForce({ keysFile, settings: SETTINGS });
    await policies.edit(shop, () => ({ blockedTerms: ['ü', '"},', '\\'] }), BY);
    await policies.edit(forum, () => ({ passMaxScore: 1 }), BY);
    const own = readFileSync(file, 'utf8');
    expect(own.split('\n')).toHaveLength(5);
    const content = JSON.parse(own) as { projects: Record<string, { policy: object }> };
    const edited = {
      ...content,
      projects: { ...content.projects, [forum]: { ...content.projects[forum], policy: {} } },
    };
    for (const indent of [0, 1, 2]) {
      writeFileSync(file, JSON.stringify(content, null, indent));
      expect(inForce.of(forum).passMaxScore).toBe(1);
      expect(inForce.of(shop).terms?.blocked).toEqual(['ü', '"},', '\\']);
      writeFileSync(file, JSON.stringify(edited, null, indent));
      expect(inForce.of(forum).passMaxScore).toBe(3);
    }
    writeFileSync(file, JSON.stringify(content, null, 2));
    await policies.edit(forum, () => ({ passMaxScore: 2 }), BY);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5);
    expect(inForce.of(forum).passMaxScore).toBe(2);
    expect(policies.get(shop).policy).toEqual({ blockedTerms: ['ü', '"},', '\\'] });
  });

  it.each([
    ['a line twice', (lines: string[]) => [lines[0], `${lines[1] ?? ''},`, lines[1], ...lines.slice(2)], 2],
    [
      'a line less, and its comma left',
      (lines: string[]) => [lines[0], `${lines[1] ?? ''},`, ...lines.slice(2)],
      undefined,
    ],
    ['a line cut off', (lines: string[]) => [lines[0], lines[1]?.slice(0, -3), ...lines.slice(2)], undefined],
    ['a line break within', (lines: string[]) => [lines[0], lines[1]?.replace('{', '{\n'), ...lines.slice(2)], 2],
  ])('with %s is what its JSON is', async (_, change, expected) => {
    const { policies, shop, file, keysFile } = await freshPolicies();
    const inForce = createPoliciesInForce({ keysFile, settings: SETTINGS });
    await policies.edit(shop, () => ({ passMaxScore: 2 }), BY);
    expect(inForce.of(shop).passMaxScore).toBe(2);
    writeFileSync(file, change(readFileSync(file, 'utf8').split('\n')).join('\n'));
    if (expected === undefined) expect(() => inForce.of(shop)).toThrow('policies_unavailable');
    else expect(inForce.of(shop).passMaxScore).toBe(expected);
  });

  it('loses no edit of writers that come together', async () => {
    const { keysFile, shop } = await freshPolicies();
    const stores = Array.from({ length: 5 }, () => createPolicyStore({ keysFile }));
    await Promise.all(
      stores.flatMap((store, index) =>
        Array.from({ length: 4 }, (_, edit) =>
          store.edit(
            shop,
            (present) => ({ ...present, blockedTerms: [...(present.blockedTerms ?? []), `${index} ${edit}`] }),
            BY,
          ),
        ),
      ),
    );
    const { version, policy } = createPolicyStore({ keysFile }).get(shop);
    expect([version, new Set(policy.blockedTerms).size]).toEqual([20, 20]);
  });

  it('takes one of two edits of the same version', async () => {
    const { keysFile, shop } = await freshPolicies();
    const edits = await Promise.allSettled(
      [1, 2].map((passMaxScore) =>
        createPolicyStore({ keysFile }).edit(shop, () => ({ passMaxScore }), { by: 'dashboard', base: 0 }),
      ),
    );
    expect(edits.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('policies in force', () => {
  it('are those of the file at each question, whoever wrote it, and of the settings where there are none', async () => {
    const { policies, shop, forum, keysFile } = await freshPolicies();
    const inForce = createPoliciesInForce({ keysFile, settings: SETTINGS });
    expect(inForce.of(shop)).toMatchObject({ passMaxScore: 3 });
    for (const passMaxScore of [1, 2, 9]) {
      await policies.edit(shop, () => ({ passMaxScore }), BY);
      expect(inForce.of(shop)).toMatchObject({ passMaxScore, origin: { name: 'default' } });
      expect(inForce.of(shop)).toBe(inForce.of(shop));
      expect(inForce.of(forum).origin).toBeUndefined();
    }
  });

  it('are none while the file is not understood, and come back with it', async () => {
    const { policies, shop, file, keysFile } = await freshPolicies();
    await policies.edit(shop, () => ({ passMaxScore: 1 }), BY);
    const problems: string[] = [];
    const inForce = createPoliciesInForce({ keysFile, settings: SETTINGS, onProblem: (each) => problems.push(each) });
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, -20));
    for (let question = 0; question < 3; question += 1) {
      expect(() => inForce.of(shop)).toThrow(expect.objectContaining({ code: 'policies_unavailable' }) as Error);
    }
    expect(inForce.isAvailable()).toBe(false);
    expect(problems).toEqual([expect.stringContaining('damaged')]);
    writeFileSync(file, whole);
    expect(inForce.of(shop)).toMatchObject({ passMaxScore: 1 });
  });

  it('cost less than 20 µs a question', async () => {
    const { policies, shop, keysFile } = await freshPolicies();
    const blockedTerms = Array.from({ length: 10_000 }, (_, index) => `term ${index}`);
    await policies.edit(shop, () => ({ blockedTerms }), BY);
    const inForce = createPoliciesInForce({ keysFile, settings: SETTINGS });
    inForce.of(shop);
    // The quickest of many rounds: the others have waited for other processes.
    const roundsUs = Array.from({ length: 40 }, () => {
      const begunMs = performance.now();
      for (let question = 0; question < 100; question += 1) inForce.of(shop);
      return (performance.now() - begunMs) * 10;
    });
    expect(Math.min(...roundsUs)).toBeLessThan(20);
  });
});

describe('the id of a project that a key names', () => {
  it('is that of the list of projects, made or only named, also after it was renamed and its name used anew', async () => {
    const { projects, keysFile, shop } = await freshPolicies();
    const { createKeyVerifier } = await import('../../../src/keys/key-verifier.js');
    const store = createKeyStore({ file: keysFile });
    const verifier = createKeyVerifier({ file: keysFile });
    const request = { name: 'x', environment: 'live', expiresInMs: null, rateLimitPerMinute: null } as const;
    const idOf = async (key: string): Promise<string> => {
      const verification = await verifier.verify(key);
      return verification.status === 'valid' ? verification.key.projectId : verification.status;
    };
    const first = await store.create({ ...request, project: 'shop' });
    expect(await idOf(first.key)).toBe(shop);
    await projects.rename(shop, 'store');
    const second = await store.create({ ...request, project: 'shop' });
    expect(await idOf(first.key)).toBe(shop);
    expect(await idOf(second.key)).toBe(projects.list().find(({ name }) => name === 'shop')?.id);
    expect(await idOf(second.key)).not.toBe(shop);
    await verifier.close();
  });
});

function recordWith(policy: object): string {
  const record = { version: 1, at: '2030-01-01T00:00:00.000Z', by: 'dashboard', policy, earlier: [] };
  return JSON.stringify({ format: 1, projects: { prj_a: record } });
}
