/** Promises of the ONNX runtime with a network that tells languages, on the tiny one of random weights in test/support/models/tiny-model. */
import { describe, expect, it } from 'vitest';
import type { Classifier, Prediction } from '../../src/inference/classifier.js';
import type { Manifest } from '../../src/inference/manifest.js';
import { createAnalyzer, type Analyzer } from '../../src/moderation/analyzer.js';
import { policyOfSettings } from '../../src/moderation/verdict-policy.js';
import { MODEL_FOLDER } from '../support/models/model-copy.js';
import { loadTiny } from '../support/models/tiny-classifier.js';
import { classifyWithSegments } from '../support/models/with-segments.js';

async function loaded(manifest: Partial<Manifest> = {}): Promise<{ classifier: Classifier; analyzer: Analyzer }> {
  const classifier = await loadTiny({ manifest });
  const policy = policyOfSettings({ passMaxScore: 10, blockCategories: [], unreadable: 'fail' });
  return { classifier, analyzer: createAnalyzer({ classifier, policy, cacheMaxEntries: 10 }) };
}

function expectLanguages(judged: readonly Prediction[]): void {
  for (const { languages = [] } of judged) {
    expect(languages).toHaveLength(4);
    expect(languages.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
  }
}

describe('a network that tells languages', () => {
  it.each([
    ['en', 'You are good, the world is a good place'],
    ['ru', 'Привет, мир! Ты хорошо'],
    ['zh', '你好世界'],
    ['other', 'είσαι το μεγάλο και καλό'],
  ])('says %s of "%s"', async (tag, text) => {
    const { classifier, analyzer } = await loaded();
    const { predictions, whole } = await classifier.classify(text);
    expectLanguages(whole === undefined ? predictions : [...predictions, whole]);
    const { verdict, probabilities } = await analyzer.analyze(text);
    expect(probabilities.language?.tag).toBe(tag);
    expect(probabilities.language?.probability).toBeGreaterThan(0.6);
    expect(verdict.categories.includes('unreadable')).toBe(tag === 'other');
  });

  it('says of each segment, and of the whole, what it says of it alone', async () => {
    const { classifier } = await loaded();
    const [english, russian] = ['You are good, the world is good.', 'Привет, мир.'];
    const { segments, whole } = await classifyWithSegments(classifier, `${english} ${russian}`);
    const alone = [await classifier.classify(english), await classifier.classify(russian)];
    expect(segments.map(({ languages }) => languages)).toEqual(alone.map((one) => one.predictions[0]?.languages));
    expect(whole?.languages).toHaveLength(4);
    expect(whole?.languages).not.toEqual(segments[0]?.languages);
  });

  it.each([
    ['Han', '汉', 10_000],
    ['Han that the vocabulary knows', '你好世界', 2500],
    ['one letter', 'x', 10_000],
    ['emoji', '😀', 10_000],
    ['letters of many scripts', 'aбв汉字😀ع', 1428],
    ['Thai', 'ภาษาไทย', 1428],
  ])('reads 10,000 characters without a space, %s, in soon enough a time', async (_what, unit, count) => {
    const { classifier } = await loaded();
    const text = unit.repeat(count);
    const begun = performance.now();
    const { segments, sequences, timings } = await classifyWithSegments(classifier, text);
    console.info(
      `${sequences} runs in ${(performance.now() - begun).toFixed(0)} ms, ${timings.tokenizeMs.toFixed(0)} of it to tokenise`,
    );
    expectLanguages(segments);
    expect(segments[0]?.start).toBe(0);
    expect(segments.at(-1)?.end).toBe(text.length);
    expect(timings.tokenizeMs).toBeLessThan(2000);
  });

  it('loses nothing of a long segment that no run holds: its parts count by their tokens', async () => {
    const { classifier } = await loaded();
    const text = 'ты,'.repeat(80);
    const { segments, sequences } = await classifyWithSegments(classifier, text);
    expect(segments).toHaveLength(1);
    expect(sequences).toBeGreaterThan(1);
    expect(segments[0]?.tokens).toBe(239);
    expectLanguages(segments);
  });

  it('is taken as one that tells none where its manifest names one', async () => {
    const { classifier, analyzer } = await loaded({ languages: ['en'] });
    expect((await classifier.classify('You are good')).predictions[0]).not.toHaveProperty('languages');
    expect((await analyzer.analyze('You are good')).probabilities).not.toHaveProperty('language');
  });

  it.each([
    ['two languages of its three', undefined, ['en', 'ru']],
    ['several languages of a network that tells none', MODEL_FOLDER, ['en', 'ru', 'zh']],
  ])('is not served by a manifest of %s', async (_what, folder, languages) => {
    await expect(loadTiny({ manifest: { languages }, ...(folder && { folder }) })).rejects.toThrow(
      'other outputs than its manifest says',
    );
  });
});
