/** The process behind `npm run bench:policies`: what a verdict under a policy costs the HTTP thread, once the probabilities are known. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { loadConfig } from '../../src/config.js';
import { readManifest, type Manifest } from '../../src/inference/manifest.js';
import { LABEL_CATEGORIES } from '../../src/moderation/categories.js';
import { judge, type JudgedText } from '../../src/moderation/verdict.js';
import { policyOfSettings } from '../../src/moderation/verdict-policy.js';
import { createPoliciesInForce } from '../../src/policies/policies-in-force.js';
import type { PolicyFields } from '../../src/policies/policy-schema.js';
import { openFileStore } from '../../src/storage/file-store.js';
import type { Store } from '../../src/storage/store.js';
import { readFlags, runCommand, wholeNumber } from '../command.js';
import { createRandom } from '../robustness/random.js';
import { madeUpTerms } from '../terms/word-lists.js';

const DEFAULT_VERDICTS = '20000';
const PROJECTS = 20;
const TERMS = 10_000;
const ROUNDS = 5;
const EDITS = 10;

const HELP = `Usage: npm run --silent bench:policies -- [--verdicts N]

Says what it takes, in microseconds of one core, to look up the policy in force and to turn probabilities into a verdict: with
the settings of the service, and with a policy that sets everything. ${PROJECTS} projects have policies of ${TERMS} terms each. Then how
long the first look-up after an edit takes. The probabilities are drawn at random, the calibration is that of MODEL_DIR.

  --verdicts N          a round (${DEFAULT_VERDICTS}); the best of ${ROUNDS} rounds counts

Exit status: 0, or 2 with the reason on standard error.
`;

await runCommand(HELP, async (argv) => {
  const { verdicts } = readFlags(argv, { verdicts: { type: 'string', default: DEFAULT_VERDICTS } });
  const folder = await mkdtemp(join(tmpdir(), 'parapet-policies-'));
  try {
    await measure(join(folder, 'keys.json'), wholeNumber('verdicts', verdicts, 1));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function measure(keysFile: string, count: number): Promise<void> {
  const { modelDir, verdictPolicy: settings } = loadConfig();
  const manifest = await readManifest(modelDir);
  const store = openFileStore(keysFile);
  const ids = await projectsWithPolicies(store);
  const policies = createPoliciesInForce({ policies: store.policies, settings });
  const texts = drawnTexts(manifest, 1000);
  const ownPolicy = policyOfSettings(settings);
  const { calibration } = manifest;
  const idOf = (index: number): string => ids[index % ids.length] ?? '';
  const textOf = (index: number): JudgedText => texts[index % texts.length] ?? emptyText();

  report('verdict with the settings', count, (index) => judge(textOf(index), calibration, ownPolicy));
  report('look-up of the policy', count, (index) => policies.of(idOf(index)));
  report('look-up and verdict', count, (index) => judge(textOf(index), calibration, policies.of(idOf(index))));

  const lookUps: number[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    await store.policies.edit(idOf(edit), (present) => ({ ...present, passMaxScore: edit }), { by: 'command line' });
    const begun = performance.now();
    policies.of(idOf(0));
    lookUps.push(performance.now() - begun);
  }
  const median = lookUps.sort((one, other) => one - other)[EDITS / 2] ?? 0;
  process.stdout.write(
    `${'first look-up after an edit'.padEnd(30)} ${(median * 1000).toFixed(0).padStart(8)} µs, median of ${EDITS}\n`,
  );
}

function report(name: string, count: number, work: (index: number) => unknown): void {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    for (let index = 0; index < count; index += 1) work(index);
    best = Math.min(best, ((performance.now() - begun) * 1000) / count);
  }
  process.stdout.write(`${name.padEnd(30)} ${best.toFixed(2).padStart(8)} µs\n`);
}

async function projectsWithPolicies(store: Store): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < PROJECTS; index += 1) {
    const { id } = await store.projects.create(`project ${index}`);
    const terms = madeUpTerms(TERMS, index + 1);
    const fields: PolicyFields = {
      preset: 'children',
      passMaxScore: 5,
      categories: Object.fromEntries(
        LABEL_CATEGORIES.map((category) => [category, { action: 'report', threshold: 0.4 }]),
      ),
      blockedTerms: terms.slice(0, TERMS / 2),
      ignoredTerms: terms.slice(TERMS / 2),
    };
    await store.policies.edit(id, () => fields, { by: 'command line' });
    ids.push(id);
  }
  return ids;
}

/** Most probabilities are low, as those of texts are; every tenth text has a blocked term. */
function drawnTexts({ labels, sentiments }: Manifest, count: number): JudgedText[] {
  const random = createRandom(1);
  return Array.from({ length: count }, (_, index) => ({
    probabilities: {
      labels: new Map(labels.map((label) => [label, random.next() ** 3])),
      sentiments: new Map(sentiments.map((sentiment) => [sentiment, random.next() / sentiments.length])),
      unread: 0,
    },
    foreignLetters: 0,
    ...(index % 10 === 0 && { blockedTerms: [{ start: 0, end: 4 }] }),
  }));
}

function emptyText(): JudgedText {
  return { probabilities: { labels: new Map(), sentiments: new Map(), unread: 0 }, foreignLetters: undefined };
}
