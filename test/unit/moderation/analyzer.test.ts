import { describe, expect, it } from 'vitest';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import { ServiceError } from '../../../src/errors.js';
import type { Classifier } from '../../../src/inference/classifier.js';
import type { VerdictPolicy } from '../../../src/moderation/verdict.js';
import { createFakeClassifier, windowOf, type FakeJudgement } from '../../support/fake-classifier.js';
import { testManifest } from '../../support/manifest.js';

const policy: VerdictPolicy = { passMaxScore: 3, blockCategories: ['threat', 'spam'], unreadable: 'fail' };

/** Judges texts that contain "idiot" as insults; everything else is harmless. */
const insults = (text: string): FakeJudgement =>
  text.includes('idiot') ? { labels: { toxicity: 0.9, insult: 0.8 }, sentiments: { negative: 1 } } : {};

describe('analyzer', () => {
  it('judges an ordinary text in one view', async () => {
    const classifier = createFakeClassifier(insults);
    const { verdict } = await createAnalyzer({ classifier, policy, cacheMaxEntries: 10 }).analyze('What a nice day.');
    expect(verdict).toMatchObject({ passed: true, score: 0, categories: [] });
    expect(classifier.calls).toEqual([['What a nice day.']]);
  });

  it('judges a disguised text also de-obfuscated, and the worse view wins', async () => {
    const classifier = createFakeClassifier(insults);
    const { verdict } = await createAnalyzer({ classifier, policy, cacheMaxEntries: 10 }).analyze('You are an 1d10t');
    expect(classifier.calls[0]).toHaveLength(2);
    expect(verdict).toMatchObject({ passed: false, score: 9, categories: ['toxic', 'insult'] });
  });

  it('answers a repeated text from the cache and says so', async () => {
    const classifier = createFakeClassifier(insults);
    const analyzer = createAnalyzer({ classifier, policy, cacheMaxEntries: 10 });
    expect((await analyzer.analyze('hello')).cached).toBe(false);
    const again = await analyzer.analyzeAndLocate('hello');
    expect(again.cached).toBe(true);
    expect(again.timings).toBeUndefined();
    expect(classifier.calls).toHaveLength(1);
    expect(analyzer.stats()).toMatchObject({ cacheEntries: 1, cacheHits: 1, cacheMisses: 1 });
  });

  it('recalls at once what it has judged, and nothing else', async () => {
    const classifier = createFakeClassifier(insults);
    const analyzer = createAnalyzer({ classifier, policy, cacheMaxEntries: 10 });
    expect(analyzer.recall('You idiot')).toBeUndefined();
    const first = await analyzer.analyze('You idiot');
    expect(analyzer.recall('You idiot')).toEqual({ ...first, cached: true, timings: undefined });
    expect(analyzer.recall('You idiots')).toBeUndefined();
    expect(analyzer.stats()).toMatchObject({ cacheHits: 1, cacheMisses: 1 });
  });

  it('passes on that nobody waits any more', async () => {
    const gone = new AbortController();
    let given: AbortSignal | undefined;
    const fake = createFakeClassifier(insults);
    const analyzer = createAnalyzer({
      classifier: {
        ...fake,
        classify(texts, options) {
          given = options?.signal;
          return fake.classify(texts, options);
        },
      },
      policy,
      cacheMaxEntries: 0,
    });
    await analyzer.analyze('hello', { signal: gone.signal });
    gone.abort();
    expect(given?.aborted).toBe(true);
  });

  it('points at the passage that carries what was detected', async () => {
    const text = 'Good morning. You are an idiot. See you later.';
    const analyzer = createAnalyzer({ classifier: createFakeClassifier(insults), policy, cacheMaxEntries: 10 });
    const { spans, windows } = await analyzer.analyzeAndLocate(text);
    expect(analyzer.model).toBe('test-model@1.2.3');
    expect(spans).toEqual([
      { start: 14, end: 31, label: 'toxicity', probability: 0.9 },
      { start: 14, end: 31, label: 'insult', probability: 0.8 },
    ]);
    expect(windows).toBe(1);
  });

  it('points at the strongest passage when it takes the whole text to detect something', async () => {
    const together = (text: string): FakeJudgement =>
      text.includes('One') && text.includes('Two')
        ? { labels: { threat: 0.9 } }
        : { labels: { threat: text.includes('Two') ? 0.3 : 0.1 } };
    const analyzer = createAnalyzer({ classifier: createFakeClassifier(together), policy, cacheMaxEntries: 10 });
    const { spans } = await analyzer.analyzeAndLocate('One here. Two there.');
    expect(spans).toEqual([{ start: 10, end: 20, label: 'threat', probability: 0.3 }]);
  });

  it('looks for passages once, and not at all where nothing was detected', async () => {
    const classifier = createFakeClassifier(insults);
    const analyzer = createAnalyzer({ classifier, policy, cacheMaxEntries: 10 });
    await analyzer.analyzeAndLocate('You idiot. Bye.');
    await analyzer.analyzeAndLocate('You idiot. Bye.');
    expect(classifier.calls).toHaveLength(2);
    expect((await analyzer.analyzeAndLocate('Bye.')).spans).toEqual([]);
    expect(classifier.calls).toHaveLength(3);
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

  it('says of passages that they follow up on a text that is being answered', async () => {
    const fake = createFakeClassifier(insults);
    const followsUp: (boolean | undefined)[] = [];
    const classifier: Classifier = {
      ...fake,
      classify(texts, options) {
        followsUp.push(options?.followsUp);
        return fake.classify(texts, options);
      },
    };
    await createAnalyzer({ classifier, policy, cacheMaxEntries: 0 }).analyzeAndLocate('You idiot. Bye.');
    expect(followsUp).toEqual([undefined, true]);
  });

  it('refuses a model that leaves the text without an answer', async () => {
    const fake = createFakeClassifier(insults);
    const classifier: Classifier = { ...fake, classify: async () => ({ ...(await fake.classify([])), texts: [] }) };
    const analyzer = createAnalyzer({ classifier, policy, cacheMaxEntries: 0 });
    await expect(analyzer.analyze('hello')).rejects.toThrow('answered fewer texts than it was given');
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
    expect((await analyzer.analyze(RUSSIAN)).verdict).toEqual(verdict);
    expect(analyzer.recall(RUSSIAN)?.verdict).toEqual(verdict);
    expect(await analyzer.analyzeAndLocate(RUSSIAN)).toMatchObject({ cached: true, verdict, spans: [] });
  });

  it('passes it where the policy lets such texts pass, and still says what it is', async () => {
    const { verdict } = await analyzerOf({ policy: { ...policy, unreadable: 'pass' } }).analyze(RUSSIAN);
    expect(verdict).toMatchObject({ passed: true, categories: ['unreadable'] });
  });

  it('says what was found in the rest, and where', async () => {
    const { verdict, spans } = await analyzerOf().analyzeAndLocate(`${RUSSIAN}. You idiot.`);
    expect(verdict).toMatchObject({ passed: false, score: 9, categories: ['toxic', 'insult', 'unreadable'] });
    expect(spans.map(({ start, label }) => [start, label])).toEqual([
      [24, 'toxicity'],
      [24, 'insult'],
    ]);
  });

  it('judges letters of another script that are a disguise of Latin ones', async () => {
    const { verdict } = await analyzerOf().analyze('уоu аrе аn іdіоt');
    expect(verdict).toMatchObject({ passed: false, categories: ['toxic', 'insult'] });
  });

  it('reads what another model knows', async () => {
    const classifier = createFakeClassifier(insults, testManifest({ scripts: ['Latin', 'Cyrillic'] }));
    expect((await analyzerOf({ classifier }).analyze(RUSSIAN)).verdict).toMatchObject({ passed: true, categories: [] });
  });
});

describe('analyzer, of a long text in two views', () => {
  const SENT = 'You are an 1d10t. Nice day.';
  const READ = 'You are an idiot. Nice day.';

  /** @param firstWindow how toxic the first of the six windows of a view is */
  function createLongTextAnalyzer(firstWindow: (view: string) => number, piece: (text: string) => number) {
    const fake = createFakeClassifier((text) => ({ labels: { toxicity: piece(text) } }));
    const followsUp: (boolean | undefined)[] = [];
    const classifier: Classifier = {
      ...fake,
      async classify(texts, options) {
        followsUp.push(options?.followsUp);
        const judged = await fake.classify(texts, options);
        if (texts[0] !== SENT) return judged;
        const windowsOf = (view: string) =>
          [firstWindow(view), 0.01, 0.01, 0.01, 0.01, 0.01].map((toxicity, index) => ({
            ...windowOf({ labels: { toxicity } }, fake.manifest),
            start: 18 * index,
            end: index === 0 ? 17 : view.length,
          }));
        return { ...judged, texts: texts.flatMap(options?.versionsOf ?? String).map(windowsOf) };
      },
    };
    return { fake, followsUp, analyzer: createAnalyzer({ classifier, policy, cacheMaxEntries: 0 }) };
  }

  it('keeps the pieces of the two apart', async () => {
    const { fake, followsUp, analyzer } = createLongTextAnalyzer(
      () => 0.3,
      (text) => (text.includes('idiot') ? 0.95 : 0.01),
    );
    const { verdict } = await analyzer.analyze(SENT);
    expect(fake.calls).toEqual([
      [SENT, READ],
      ['You are an 1d10t.', 'You are an idiot.'],
    ]);
    expect(followsUp).toEqual([undefined, true]);
    expect(verdict.categories).toEqual(['toxic']);
  });

  it('looks closely at one of them alone where only that is suspect', async () => {
    const { fake, analyzer } = createLongTextAnalyzer(
      (view) => (view === READ ? 0.3 : 0.01),
      () => 0.95,
    );
    const { verdict } = await analyzer.analyze(SENT);
    expect(fake.calls[1]).toEqual(['You are an idiot.']);
    expect(verdict.categories).toEqual(['toxic']);
  });
});
