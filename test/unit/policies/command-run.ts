/** Runs the `policies` command in this process, on projects of its own and a model without a network. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { runPoliciesCli } from '../../../src/cli/policies/policies-command.js';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import { policyOfSettings } from '../../../src/moderation/verdict-policy.js';
import { createFakeClassifier, type FakeJudgement } from '../../support/models/fake-classifier.js';
import { SETTINGS } from '../../support/settings.js';
import { freshPolicies } from '../storage/policy-folder.js';

type Policies = Awaited<ReturnType<typeof freshPolicies>>;

/** @param meanwhile happens after the command has read the policy, while the model loads */
export async function policiesCommand(
  judge: (text: string) => FakeJudgement,
  meanwhile?: (policies: Policies) => Promise<unknown>,
  hasDecisionsKey = true,
) {
  const policies = await freshPolicies();
  let loaded = 0;
  let closed = 0;
  async function run(argv: readonly string[], stdin = '') {
    const [out, err]: [string[], string[]] = [[], []];
    const status = await runPoliciesCli(argv, {
      openStore: () => Promise.resolve(policies.store),
      settings: () => SETTINGS,
      hasDecisionsKey: () => hasDecisionsKey,
      async loadModel() {
        loaded += 1;
        await meanwhile?.(policies);
        const classifier = createFakeClassifier(judge);
        const analyzer = createAnalyzer({ classifier, policy: policyOfSettings(SETTINGS), cacheMaxEntries: 10 });
        return { analyzer, concurrency: 2, close: () => Promise.resolve(void (closed += 1)) };
      },
      stdin: Readable.from([Buffer.from(stdin)]),
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text) },
    });
    return { status, out: out.join(''), err: err.join('') };
  }
  const json = async (...argv: string[]): Promise<unknown> => {
    const { status, out, err } = await run([...argv, '--json']);
    if (status !== 0 || err !== '') throw new Error(`ended with ${status}: ${err}`);
    return JSON.parse(out);
  };
  const fileWith = (name: string, content: string | Uint8Array): string => {
    const file = join(dirname(policies.keysFile), name);
    writeFileSync(file, content);
    return file;
  };
  return { ...policies, run, json, fileWith, models: () => ({ loaded, closed }) };
}
