/** Promises of --peer: other judges get the same rows, are found where the operator installed them, and stand in one table. */
import { chmodSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openPeer } from '../../../../benchmarks/accuracy/peers/peer.js';
import { resultsSchema } from '../../../../benchmarks/accuracy/results.js';
import { jsonOf, run } from './command-run.js';
import { createFakeJudge, judgementOf } from './judgements.js';
import { createScratchFolder, type ScratchFolder } from './scratch-folder.js';

/** Flags what contains "rude", as each package would be asked. */
const NPM_STAND_INS: Readonly<Record<string, string>> = {
  obscenity: `exports.englishDataset = { build: () => ({ words: ['rude'] }) };
    exports.englishRecommendedTransformers = { lower: true };
    exports.RegExpMatcher = class {
      constructor({ words, lower }) { this.words = words; this.lower = lower; }
      hasMatch(text) { return this.words.some((word) => (this.lower ? text.toLowerCase() : text).includes(word)); }
    };`,
  'leo-profanity': `module.exports = { words: ['rude'], check(text) { return this.words.some((word) => text.includes(word)); } };`,
  '@2toad/profanity': `exports.profanity = { words: ['rude'], exists(text) { return text.includes(this.words[0]); } };`,
};

const PYTHON_STAND_INS: Readonly<Record<string, readonly [module: string, code: string]>> = {
  'better-profanity': [
    'better_profanity.py',
    `print("hello")
class profanity:
    contains_profanity = staticmethod(lambda text: "rude" in text)`,
  ],
  'alt-profanity-check': ['profanity_check.py', 'predict_prob = lambda texts: [0.75 if "rude" in texts[0] else 0.25]'],
  'toxic-comment-classifier': [
    'toxic_classifier/model.py',
    `class ToxicCommentClassifier:
    def classify(self, text): return {"toxic": 0.75 if "rude" in text else 0.25, "threat": 1.0}`,
  ],
};

function installed(folder: ScratchFolder): { folder: string; python: string } {
  for (const [name, code] of Object.entries(NPM_STAND_INS)) {
    mkdirSync(folder.path(`node_modules/${name}`), { recursive: true });
    folder.file(`node_modules/${name}/index.js`, code);
    folder.file(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.2.3', exports: './index.js' }));
  }
  mkdirSync(folder.path('toxic_classifier'));
  for (const [name, [module, code]] of Object.entries(PYTHON_STAND_INS)) {
    folder.file(module, code);
    const metadata = `${name.replaceAll('-', '_')}-1.2.3.dist-info`;
    mkdirSync(folder.path(metadata));
    folder.file(`${metadata}/METADATA`, `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.2.3\n`);
  }
  const python = folder.file('python', `#!/bin/sh\nPYTHONPATH='${folder.path('')}' exec python3 "$@"\n`);
  chmodSync(python, 0o755);
  return { folder: folder.path(''), python };
}

describe('a peer', () => {
  it.each([...Object.keys(NPM_STAND_INS), ...Object.keys(PYTHON_STAND_INS)])(
    '%s is asked as it wants it',
    async (name) => {
      const judge = await openPeer(name, installed(createScratchFolder()));
      try {
        expect(judge.description).toBe(`${name}@1.2.3`);
        const texts = ['kind', 'so rude', 'süß “and”\nrude', ''];
        const judged = await Promise.all(texts.map((text) => judge.judge(text)));
        expect(judged.map((each) => 'passed' in each && each.passed)).toEqual([true, false, false, true]);
      } finally {
        await judge.close();
      }
    },
  );

  it.each([
    ['leo-profanity', 'python3', /--peer leo-profanity: the package is not installed here: npm install/],
    ['better-profanity', 'python3', /--peer better-profanity: python3 lacks it \(.*better/],
    ['better-profanity', '/nowhere/python', /\/nowhere\/python does not run; name another with --python/],
    ['better-profanity', 'true', /the process of true ended before it had answered/],
  ])('%s by %s that is not there is said before anything is judged', async (name, python, message) => {
    await expect(openPeer(name, { folder: createScratchFolder().path(''), python })).rejects.toThrow(message);
  });

  it('of another shape than the known versions is not believed', async () => {
    const scratch = createScratchFolder();
    const place = installed(scratch);
    scratch.file('node_modules/obscenity/index.js', 'exports.somethingElse = 1;');
    await expect(openPeer('obscenity', place)).rejects.toThrow('--peer obscenity: version 1.2.3 cannot be used');
  });
});

it('peers stand in one table with the product, on the same rows', async () => {
  const scratch = createScratchFolder();
  const place = installed(scratch);
  const input = scratch.file('a.csv', 'text,label\n0.9 rude,1\n0.8,1\n0.2 rude,0\n0.1,0\n"",0\n');
  const json = scratch.path('r.json');
  const flags = ['--input', input, '--text-column', 'text', '--label-column', 'label', '--bootstrap', '0'];
  const peers = ['--peer', 'leo-profanity', '--peer', 'alt-profanity-check', '--python', place.python];
  const judge = createFakeJudge({ judge: (text) => Promise.resolve(judgementOf(parseFloat(text))) });
  const openHere = (name: string, python: string) => openPeer(name, { folder: place.folder, python });
  const { status, stdout } = await run([...flags, ...peers, '--json', json], judge, { openPeer: openHere });
  expect(status).toBe(0);
  expect(resultsSchema.parse(jsonOf(json)).peers).toMatchObject(
    ['leo-profanity@1.2.3', 'alt-profanity-check@1.2.3'].map((peer) => ({
      peer,
      figures: { positives: 2, negatives: 2, rocAuc: { value: 0.5 } },
    })),
  );
  expect(stdout).toMatch(/fake@1 +1\.0000 +1\.0000 +1\.0000 +1\.0000 +\d+ +1\.00 x/);
  expect(stdout).toMatch(/leo-profanity@1\.2\.3 +0\.5000 +0\.5000 +0\.5000 +0\.5000 +\d+ +\d+\.\d\d x/);
});
