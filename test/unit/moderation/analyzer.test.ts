import { describe, expect, it } from 'vitest';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import { ServiceError } from '../../../src/errors.js';
import type { Caller } from '../../../src/caller.js';
import { policyOfSettings } from '../../../src/moderation/verdict-policy.js';
import { createFakeClassifier, segmentOf, type FakeJudgement } from '../../support/models/fake-classifier.js';
import { languagesManifest, pooledManifest, testManifest } from '../../support/models/manifest.js';

const policy = policyOfSettings({ passMaxScore: 3, blockCategories: ['threat', 'spam'], unreadable: 'fail' });

/** Judges texts that contain "idiot" as insults; everything else is harmless. */
const insults = (text: string): FakeJudgement =>
  text.includes('idiot') ? { labels: { toxicity: 0.9, insult: 0.8 }, sentiments: { negative: 1 } } : {};

describe('analyzer', () => {
  it('judges a disguised text by what a person reads', async () => {
    const classifier = createFakeClassifier(insults);
    const { verdict } = await createAnalyzer({ classifier, policy, cacheMaxEntries: 10 }).analyze('You are an 1d10t');
    expect(classifier.read).toEqual(['You are an idiot']);
    expect(verdict).toMatchObject({ passed: false, score: 9, categories: ['toxic', 'insult'] });
  });

  it('remembers what it has judged, and nothing else, without asking for the signal of who wants it', async () => {
    const classifier = createFakeClassifier(insults);
    const analyzer = createAnalyzer({ classifier, policy, cacheMaxEntries: 10 });
    const first = await analyzer.analyze('You idiot');
    const recalled = await analyzer.analyze('You idiot', {
      get signal(): AbortSignal {
        throw new Error('nothing is computed');
      },
    });
    const { verdict, sequences } = first;
    expect(recalled).toMatchObject({ verdict, sequences, cached: true, timings: undefined });
    expect(recalled.probabilities).toEqual(first.probabilities);
    expect(recalled.spans()).toEqual(first.spans());
    expect(analyzer.stats()).toMatchObject({ cacheHits: 1, cacheMisses: 1 });
  });

  it('passes on who asks, and that nobody waits any more', async () => {
    const gone = new AbortController();
    let given: Caller | undefined;
    const fake = createFakeClassifier(insults);
    const analyzer = createAnalyzer({
      classifier: {
        ...fake,
        classify(text, caller) {
          given = caller;
          return fake.classify(text, caller);
        },
      },
      policy,
      cacheMaxEntries: 0,
    });
    await analyzer.analyze('hello', { project: 'forum', signal: gone.signal });
    expect(given?.project).toBe('forum');
    gone.abort();
    expect(given?.signal?.aborted).toBe(true);
  });

  it('tells the language, and which is experimental, from the cache as well', async () => {
    const manifest = languagesManifest({ experimentalLanguages: ['ru'], scripts: ['Latin', 'Cyrillic'] });
    const classifier = createFakeClassifier(
      (text) => ({ languages: /\p{sc=Cyrillic}/u.test(text) ? { ru: 0.9 } : { en: 0.9 } }),
      manifest,
    );
    const analyzer = createAnalyzer({ classifier, policy, cacheMaxEntries: 10 });
    expect(analyzer.languages).toEqual(['en', 'ru', 'zh']);
    for (const cached of [false, true]) {
      expect(await analyzer.analyze('Привет всем')).toMatchObject({
        probabilities: { language: { tag: 'ru', probability: 0.9 } },
        isExperimental: true,
        cached,
      });
      expect(await analyzer.analyze('Hello there')).toMatchObject({
        probabilities: { language: { tag: 'en' } },
        isExperimental: false,
        cached,
      });
    }
  });

  it('holds back what is in none of the languages, but not what has no letters', async () => {
    const classifier = createFakeClassifier(() => ({ languages: { en: 0.3 } }), languagesManifest());
    const analyzer = createAnalyzer({ classifier, policy, cacheMaxEntries: 10 });
    expect((await analyzer.analyze('Hyvää huomenta')).verdict).toMatchObject({
      passed: false,
      categories: ['unreadable'],
    });
    expect((await analyzer.analyze('😀 10:15 🎉')).verdict).toMatchObject({ passed: true, categories: [] });
  });

  it('points at the segment that carries what was detected', async () => {
    const text = 'Good morning. You are an idiot. See you later.';
    const analyzer = createAnalyzer({ classifier: createFakeClassifier(insults), policy, cacheMaxEntries: 10 });
    const { spans, inSegments, sequences } = await analyzer.analyze(text);
    expect(analyzer.model).toBe('test-model@1.2.3');
    expect(spans()).toEqual([
      { start: 14, end: 31, label: 'toxicity', probability: 0.9 },
      { start: 14, end: 31, label: 'insult', probability: 0.8 },
    ]);
    expect(inSegments('insult')).toEqual([
      { start: 0, end: 13, probability: 0.01 },
      { start: 14, end: 31, probability: 0.8 },
      { start: 32, end: 46, probability: 0.01 },
    ]);
    expect(sequences).toBe(3);
  });

  it('points at the strongest segment when it takes several to detect something', async () => {
    const logOdds = (probability: number): number => Math.log(probability / (1 - probability));
    // A segment alone is what it is; a second one adds to it.
    const manifest = pooledManifest({ bias: logOdds(0.01), highest: 1, second: 1 });
    const threats = (text: string): FakeJudgement => ({ labels: { threat: text.includes('second') ? 0.3 : 0.1 } });
    const classifier = createFakeClassifier(threats, manifest);
    const { verdict, spans } = await createAnalyzer({ classifier, policy, cacheMaxEntries: 10 }).analyze(
      'Here is the first. And here the second.',
    );
    expect(verdict.categories).toContain('threat');
    expect(spans().filter(({ label }) => label === 'threat')).toEqual([
      { start: 19, end: 39, label: 'threat', probability: 0.3 },
    ]);
  });

  it('judges by the whole text as well where the model read it', async () => {
    const manifest = pooledManifest({ bias: Math.log(1 / 99), whole: 1 });
    const fake = createFakeClassifier(() => ({}), manifest);
    const whole = segmentOf({ labels: { insult: 0.9 } }, manifest);
    const classifier = { ...fake, classify: async (text: string) => ({ ...(await fake.classify(text)), whole }) };
    const { probabilities } = await createAnalyzer({ classifier, policy, cacheMaxEntries: 10 }).analyze('One. Two.');
    expect(probabilities.labels.get('insult')).toBeCloseTo(0.9, 9);
  });

  it('remembers fewer texts of many segments than short ones', async () => {
    const analyzer = createAnalyzer({ classifier: createFakeClassifier(insults), policy, cacheMaxEntries: 50 });
    const long = (index: number) => `This is line ${index} of many lines.\n`.repeat(100);
    for (let index = 0; index < 10; index += 1) await analyzer.analyze(long(index));
    const { cacheEntries } = analyzer.stats();
    expect(cacheEntries).toBeGreaterThan(0);
    expect(cacheEntries).toBeLessThan(10);
    for (let index = 0; index < 60; index += 1) await analyzer.analyze(`short ${index}`);
    expect(analyzer.stats().cacheEntries).toBe(50);
  });

  it('never invents a verdict: when the model fails, so does the call, and the next one tries again', async () => {
    let broken = true;
    const classifier = createFakeClassifier(() => {
      if (broken) throw new ServiceError('model_not_ready', 'broken');
      return {};
    });
    const analyzer = createAnalyzer({ classifier, policy, cacheMaxEntries: 10 });
    await expect(analyzer.analyze('hello')).rejects.toMatchObject({ code: 'model_not_ready' });
    broken = false;
    await expect(analyzer.analyze('hello')).resolves.toMatchObject({ cached: false });
  });
});

describe('analyzer, of a model that says what the worst of several segments is', () => {
  const TEXT = 'Good morning. You are an idiot. See you later.';
  const analyzerOf = (cacheMaxEntries = 10) => {
    const classifier = createFakeClassifier(insults, testManifest(), { windows: true });
    return { classifier, analyzer: createAnalyzer({ classifier, policy, cacheMaxEntries }) };
  };

  it('has the segments read only for whoever wants spans, with the same verdict', async () => {
    const { classifier, analyzer } = analyzerOf(0);
    const without = await analyzer.analyze(TEXT);
    expect(classifier.read).toEqual([TEXT]);
    expect(() => without.spans()).toThrow('wanted no spans');
    expect(() => without.inSegments('insult')).toThrow('wanted no spans');
    const located = await analyzer.analyze(TEXT, { spans: true });
    expect(classifier.read).toHaveLength(1 + 1 + 3);
    expect(located.spans()).toMatchObject([
      { start: 14, end: 31, label: 'toxicity' },
      { start: 14, end: 31, label: 'insult' },
    ]);
    expect(located.inSegments('insult')).toHaveLength(3);
    expect(located.under(policy).spans()).toEqual(located.spans());
    expect(located.verdict).toEqual(without.verdict);
    expect(located.probabilities).toEqual(without.probabilities);
  });

  it('remembers what was read with spans for those who want none', async () => {
    const { classifier, analyzer } = analyzerOf();
    const located = await analyzer.analyze(TEXT, { spans: true });
    expect(await analyzer.analyze(TEXT)).toMatchObject({ cached: true, verdict: located.verdict });
    expect((await analyzer.analyze(TEXT, { spans: true })).spans()).toEqual(located.spans());
    expect(classifier.calls).toHaveLength(1);
  });

  it('reads again for spans what was read without them, once', async () => {
    const { classifier, analyzer } = analyzerOf();
    await analyzer.analyze(TEXT);
    expect((await analyzer.analyze(TEXT, { spans: true })).cached).toBe(false);
    const again = await analyzer.analyze(TEXT, { spans: true });
    expect(again.cached).toBe(true);
    expect(again.spans()).not.toEqual([]);
    expect(classifier.calls).toHaveLength(2);
    expect(analyzer.stats()).toMatchObject({ cacheEntries: 1, cacheHits: 1, cacheMisses: 2 });
  });

  it('gives spans to whoever wants them while others, who want none, wait for the same text', async () => {
    const { classifier, analyzer } = analyzerOf();
    const [one, located, other] = await Promise.all([
      analyzer.analyze(TEXT),
      analyzer.analyze(TEXT, { spans: true }),
      analyzer.analyze(TEXT),
    ]);
    expect(located.spans()).not.toEqual([]);
    expect([one.verdict, other.verdict]).toEqual([located.verdict, located.verdict]);
    expect(classifier.calls).toHaveLength(2);
    expect((await analyzer.analyze(TEXT, { spans: true })).cached).toBe(true);
  });
});

describe('analyzer, of a text in a script that the model does not know', () => {
  const RUSSIAN = 'Ты тупая мразь, сдохни';
  const analyzerOf = (options: Partial<Parameters<typeof createAnalyzer>[0]> = {}) =>
    createAnalyzer({ classifier: createFakeClassifier(insults), policy, cacheMaxEntries: 10, ...options });

  it('fails it as unreadable, and again from the cache', async () => {
    const analyzer = analyzerOf();
    const { verdict } = await analyzer.analyze(RUSSIAN);
    expect(verdict).toMatchObject({ passed: false, score: 0, categories: ['unreadable'] });
    const again = await analyzer.analyze(RUSSIAN);
    expect(again).toMatchObject({ cached: true, verdict });
    expect(again.spans()).toEqual([]);
  });

  it('reads what another model knows', async () => {
    const classifier = createFakeClassifier(insults, testManifest({ scripts: ['Latin', 'Cyrillic'] }));
    expect((await analyzerOf({ classifier }).analyze(RUSSIAN)).verdict).toMatchObject({ passed: true, categories: [] });
  });
});
