/** What an analyzer tells others of a text, and what it believes of what they tell. */
import { describe, expect, it } from 'vitest';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import type { SharedProbabilities } from '../../../src/moderation/shared-probabilities.js';
import { policyOfSettings } from '../../../src/moderation/verdict-policy.js';
import { createFakeClassifier } from '../../support/fake-classifier.js';
import { languagesManifest, testManifest } from '../../support/manifest.js';

const policy = policyOfSettings({ passMaxScore: 3, blockCategories: ['threat', 'spam'], unreadable: 'fail' });

function createShared() {
  const kept = new Map<string, readonly number[]>();
  const shared: SharedProbabilities = {
    get: (key) => Promise.resolve(kept.get(key)),
    set: (key, numbers) => void kept.set(key, numbers),
  };
  return { kept, shared };
}

function createServer(shared: SharedProbabilities, manifest = testManifest()) {
  const classifier = createFakeClassifier(
    (text) =>
      text.includes('idiot')
        ? { labels: { toxicity: 0.9, insult: 0.8 }, sentiments: { negative: 1 }, languages: { en: 0.7, de: 0.2 } }
        : {},
    manifest,
  );
  return { classifier, analyzer: createAnalyzer({ classifier, policy, cacheMaxEntries: 10, shared }) };
}

describe('what servers tell each other of a text', () => {
  it.each([
    ['one language', testManifest()],
    ['several languages', languagesManifest()],
  ])('gives the second one the verdict of the first, with a model of %s', async (_name, manifest) => {
    const { shared } = createShared();
    const [first, second] = [createServer(shared, manifest), createServer(shared, manifest)];
    for (const text of ['You idiot', 'Good morning.', '…']) {
      const judged = await first.analyzer.analyze(text);
      const told = await second.analyzer.analyze(text);
      const { verdict, probabilities, sequences, isExperimental } = judged;
      expect(told).toMatchObject({ verdict, sequences, isExperimental, cached: true, timings: undefined });
      expect(told.probabilities).toEqual(probabilities);
    }
    expect(second.classifier.calls).toEqual([]);
    await second.analyzer.analyze('You idiot');
    expect(second.analyzer.stats()).toMatchObject({ cacheHits: 4, sharedCacheHits: 3, cacheMisses: 0 });
  });

  it('is numbers, under a hash that another model does not find', async () => {
    const { kept, shared } = createShared();
    await createServer(shared).analyzer.analyze('You idiot');
    expect([...kept.keys()]).toEqual([expect.stringMatching(/^[\w+/]{43}=$/)]);
    expect([...kept.values()].flat().every(Number.isFinite)).toBe(true);
    const other = createServer(shared, { ...testManifest(), version: '9.9.9' });
    await other.analyzer.analyze('You idiot');
    expect(other.classifier.calls).toEqual(['You idiot']);
  });

  it('is neither asked nor told where spans are wanted', async () => {
    const { kept, shared } = createShared();
    const [first, second] = [createServer(shared), createServer(shared)];
    expect((await first.analyzer.analyze('You idiot', { spans: true })).spans()).toHaveLength(2);
    expect(kept.size).toBe(0);
    await createServer(shared).analyzer.analyze('You idiot');
    expect((await second.analyzer.analyze('You idiot')).cached).toBe(true);
    expect((await second.analyzer.analyze('You idiot', { spans: true })).spans()).toHaveLength(2);
    expect(second.classifier.calls).toEqual(['You idiot']);
  });

  it.each([
    ['too few', (numbers: number[]) => numbers.slice(1)],
    ['too many', (numbers: number[]) => [...numbers, 0]],
    ['no probability', (numbers: number[]) => numbers.with(-1, 2)],
    ['not a number', (numbers: number[]) => numbers.with(6, NaN)],
    ['no count', (numbers: number[]) => numbers.with(0, 0.5)],
    ['no share of letters', (numbers: number[]) => numbers.with(1, 1.5)],
    ['no language', (numbers: number[]) => numbers.with(2, 77)],
  ])('is not believed where it is %s: the text is judged', async (_name, spoil) => {
    const { kept, shared } = createShared();
    await createServer(shared, languagesManifest()).analyzer.analyze('You idiot');
    for (const [key, numbers] of kept) kept.set(key, spoil([...numbers]));
    const { analyzer, classifier } = createServer(shared, languagesManifest());
    expect((await analyzer.analyze('You idiot')).cached).toBe(false);
    expect(classifier.calls).toEqual(['You idiot']);
  });
});
