/** What every model runtime must do. Each runtime's test file runs this suite on its real model. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Classifier, WindowProbabilities } from '../../src/inference/classifier.js';
import type { Label, Sentiment } from '../../src/labels.js';
import { harmlessText, KIND, VILE } from '../support/texts.js';

export interface ClassifierSize {
  readonly threads: number;
  readonly maxQueue: number;
}

const THREADS = 2;

const SHORT_TEXTS = [
  KIND,
  VILE,
  'ok',
  'I will find you and kill you',
  'The train leaves at 10:15 from platform 4.',
  '',
  'Der Hund schläft',
  '中文字符',
  '!!!',
  '😀',
  harmlessText(1500),
];

const HARD_TEXTS: readonly (readonly [string, string])[] = [
  ['10,000 characters of English', harmlessText(10_000)],
  ['10,000 emoji', '😀'.repeat(10_000)],
  ['10,000 Chinese characters', '汉'.repeat(10_000)],
  ['10,000 exclamation marks', '!'.repeat(10_000)],
  ['one word of 10,000 letters', 'w'.repeat(10_000)],
  ['lone surrogates', `high \ud83d low \ude00 pair \ud83d\ude00 ${'\udc00'.repeat(300)} end`],
  ['NUL and control characters', 'you\u0000 are \u0001\u0002 kind\u007f \u0085 today'],
  ['combining marks', `e${'\u0301'.repeat(5000)} x`],
];

/** Nothing that the model could see: whitespace, or characters that BERT's normaliser removes. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Mn}\ufffd]/u;

/** The greatest difference between two judgements of the same text. */
function difference(a: readonly WindowProbabilities[], b: readonly WindowProbabilities[]): number {
  const flat = (windows: readonly WindowProbabilities[]): number[] =>
    windows.flatMap(({ labels, sentiments }) => [...labels, ...sentiments]);
  const others = flat(b);
  expect(flat(a)).toHaveLength(others.length);
  return Math.max(...flat(a).map((value, index) => Math.abs(value - (others[index] ?? NaN))));
}

function expectProbabilities(windows: readonly WindowProbabilities[], { manifest }: Classifier): void {
  for (const { labels, sentiments } of windows) {
    expect(labels).toHaveLength(manifest.labels.length);
    expect(sentiments).toHaveLength(manifest.sentiments.length);
    for (const value of [...labels, ...sentiments]) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
    }
    expect(sentiments.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 3);
  }
}

function expectCovered(text: string, windows: readonly WindowProbabilities[], { manifest }: Classifier): void {
  let reached = 0;
  for (const { start, end, tokens } of windows) {
    expect(start).toBeGreaterThanOrEqual(0);
    expect(end).toBeGreaterThan(start);
    expect(end).toBeGreaterThan(reached);
    expect(end).toBeLessThanOrEqual(text.length);
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThan(manifest.window.maxTokens);
    for (const character of text.slice(reached, Math.max(reached, start))) expect(character).toMatch(INVISIBLE);
    reached = end;
  }
  for (const character of text.slice(reached)) expect(character).toMatch(INVISIBLE);
}

function strongest(windows: readonly WindowProbabilities[], label: Label, { manifest }: Classifier): number {
  const column = manifest.labels.indexOf(label);
  return Math.max(...windows.map(({ labels }) => labels[column] ?? NaN));
}

export interface ExpectedOfClassifier {
  /** The likeliest sentiment of a friendly text: a model that cannot tell friendly from neutral says neutral. */
  readonly sentimentOfKind: Sentiment;
}

/** @param createClassifier loads the real model; the suite closes what it creates */
export function describeClassifier(
  name: string,
  createClassifier: (size: ClassifierSize) => Promise<Classifier>,
  { sentimentOfKind }: ExpectedOfClassifier = { sentimentOfKind: 'positive' },
): void {
  describe(`${name} as a classifier`, () => {
    let classifier: Classifier;
    beforeAll(async () => {
      classifier = await createClassifier({ threads: THREADS, maxQueue: 1000 });
    });
    afterAll(() => classifier.close());

    const judge = async (text: string): Promise<readonly WindowProbabilities[]> => {
      const { texts } = await classifier.classify([text]);
      expect(texts).toHaveLength(1);
      return texts[0] ?? [];
    };

    it('judges a text the same alone, among others, and again', async () => {
      const alone: (readonly WindowProbabilities[])[] = [];
      for (const text of SHORT_TEXTS) alone.push(await judge(text));
      const together = (await classifier.classify(SHORT_TEXTS)).texts;
      const reversed = (await classifier.classify([...SHORT_TEXTS].reverse())).texts;
      alone.forEach((windows, index) => {
        expect(difference(windows, together[index] ?? [])).toBeLessThan(1e-3);
        expect(difference(windows, reversed.at(-1 - index) ?? [])).toBeLessThan(1e-3);
      });
      expect(difference(await judge(VILE), await judge(VILE))).toBeLessThan(1e-6);
    });

    it('answers calls that run at once each with its own texts, in their order', async () => {
      const texts = SHORT_TEXTS.filter((text) => text !== '');
      const ends = await Promise.all(
        texts.map(async (text, index) => {
          const { texts: judged } = await classifier.classify([text, ...texts.slice(index)]);
          return judged.map((windows) => windows.at(-1)?.end);
        }),
      );
      expect(ends).toEqual(texts.map((text, index) => [text, ...texts.slice(index)].map(({ length }) => length)));
    });

    it('gives probabilities from 0 to 1, and sentiments that sum to 1', async () => {
      for (const windows of (await classifier.classify(SHORT_TEXTS)).texts) expectProbabilities(windows, classifier);
    });

    it('tells a vile text from a kind one', async () => {
      const [kind = [], vile = []] = (await classifier.classify([KIND, VILE])).texts;
      const { toxicity } = classifier.manifest.calibration.thresholds;
      expect(strongest(vile, 'toxicity', classifier)).toBeGreaterThanOrEqual(toxicity);
      expect(strongest(kind, 'toxicity', classifier)).toBeLessThan(toxicity);
      const sentiments = kind[0]?.sentiments ?? [];
      const likeliest = sentiments.indexOf(Math.max(...sentiments));
      expect(classifier.manifest.sentiments[likeliest]).toBe(sentimentOfKind);
    });

    it.each(HARD_TEXTS)('covers %s with windows of proper size', async (_name, text) => {
      const windows = await judge(text);
      expectProbabilities(windows, classifier);
      expectCovered(text, windows, classifier);
    });

    it.each([
      ['an empty text', ''],
      ['whitespace alone', ' \n\t \u00a0\u3000 '],
      ['invisible characters alone', '\u200b\u0000\ufeff'],
    ])('gives %s one empty window', async (_name, text) => {
      const windows = await judge(text);
      expect(windows).toMatchObject([{ start: 0, end: 0, tokens: 0 }]);
      expectProbabilities(windows, classifier);
    });

    it.each([0, 3000, 6500, 9960])('sees a vile sentence at character %i of a long harmless text', async (at) => {
      const harmless = harmlessText(9960);
      const before = strongest(await judge(harmless), 'toxicity', classifier);
      const vile = strongest(
        await judge(`${harmless.slice(0, at)}. ${VILE}. ${harmless.slice(at)}`),
        'toxicity',
        classifier,
      );
      expect(vile).toBeGreaterThan(before);
    });

    it('answers no texts with no texts', async () => {
      expect((await classifier.classify([])).texts).toEqual([]);
    });

    it('says how long it took', async () => {
      const begun = performance.now();
      const { timings } = await classifier.classify([harmlessText(2000)]);
      const tookMs = performance.now() - begun;
      for (const value of Object.values(timings)) expect(value).toBeGreaterThanOrEqual(0);
      expect(timings.inferMs).toBeGreaterThan(0);
      expect(timings.queueMs + timings.tokenizeMs + timings.inferMs / THREADS).toBeLessThanOrEqual(tookMs + 1);
    });
  });

  describe(`${name} under pressure`, () => {
    it.each([
      { threads: 1, maxQueue: 0 },
      { threads: 2, maxQueue: 1 },
    ])(
      'with $threads threads and room for $maxQueue refuses what is too much at once',
      async ({ threads, maxQueue }) => {
        const classifier = await createClassifier({ threads, maxQueue });
        const begun = performance.now();
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            classifier.classify([harmlessText(5000, String(index))]).then(
              () => ({ code: 'answered', afterMs: performance.now() - begun }),
              (error: unknown) => ({ code: codeOf(error), afterMs: performance.now() - begun }),
            ),
          ),
        );
        const accepted = threads + maxQueue;
        expect(outcomes.map(({ code }) => code)).toEqual([
          ...Array<string>(accepted).fill('answered'),
          ...Array<string>(20 - accepted).fill('queue_full'),
        ]);
        const firstAnswerMs = Math.min(...outcomes.slice(0, accepted).map(({ afterMs }) => afterMs));
        const lastRefusalMs = Math.max(...outcomes.slice(accepted).map(({ afterMs }) => afterMs));
        console.info(
          `refused within ${lastRefusalMs.toFixed(1)} ms, first answer after ${firstAnswerMs.toFixed(0)} ms`,
        );
        expect(lastRefusalMs).toBeLessThan(firstAnswerMs);
        expect(classifier.stats().waiting).toBe(0);
        await expect(classifier.classify([KIND])).resolves.toBeDefined();
        await classifier.close();
      },
    );

    it('answers in the order of arrival', async () => {
      const classifier = await createClassifier({ threads: 1, maxQueue: 100 });
      const order: number[] = [];
      await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          await classifier.classify([`${KIND} ${index}`]);
          order.push(index);
        }),
      );
      expect(order).toEqual(Array.from({ length: 30 }, (_, index) => index));
      await classifier.close();
    });

    it('never refuses what follows from a request that it has begun to judge', async () => {
      const classifier = await createClassifier({ threads: 1, maxQueue: 0 });
      const running = classifier.classify([harmlessText(3000)]);
      await expect(classifier.classify([KIND])).rejects.toMatchObject({ code: 'queue_full' });
      await expect(classifier.classify([KIND], { followsUp: true })).resolves.toMatchObject({ texts: [[{}]] });
      await running;
      await classifier.close();
    });

    it('counts what waits', async () => {
      const classifier = await createClassifier({ threads: 1, maxQueue: 10 });
      const calls = Array.from({ length: 4 }, () => classifier.classify([KIND]));
      expect(classifier.stats().waiting).toBe(3);
      await Promise.all(calls);
      expect(classifier.stats().waiting).toBe(0);
      await classifier.close();
    });
  });

  describe(`${name} whose callers go away`, () => {
    it('frees their places at once, and judges the others', async () => {
      const classifier = await createClassifier({ threads: 1, maxQueue: 2 });
      const gone = new AbortController();
      const running = classifier.classify([harmlessText(3000)]);
      const leaving = [1, 2].map((number) => classifier.classify([`${KIND} ${number}`], { signal: gone.signal }));
      const refused = expect(classifier.classify([VILE])).rejects.toMatchObject({ code: 'queue_full' });
      await refused;
      gone.abort(new Error('the caller has gone'));
      for (const outcome of await Promise.allSettled(leaving)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the caller has gone' } });
      }
      const { texts } = await classifier.classify([VILE]);
      expect(strongest(texts[0] ?? [], 'toxicity', classifier)).toBeGreaterThan(0.5);
      expect((await running).texts).toHaveLength(1);
      await classifier.close();
    });

    it('gives up a long text between two of its windows', async () => {
      const classifier = await createClassifier({ threads: 1, maxQueue: 10 });
      const gone = new AbortController();
      const long = classifier.classify([harmlessText(10_000)], { signal: gone.signal });
      await classifier.classify([KIND]);
      gone.abort(new Error('the caller has gone'));
      await expect(long).rejects.toThrow('the caller has gone');
      expect(classifier.stats().waiting).toBe(0);
      await classifier.close();
    });

    it('refuses a call that was given up before', async () => {
      const classifier = await createClassifier({ threads: 1, maxQueue: 10 });
      const gone = AbortSignal.abort(new Error('the caller has gone'));
      await expect(classifier.classify([KIND], { signal: gone })).rejects.toThrow('the caller has gone');
      await expect(classifier.classify([KIND])).resolves.toBeDefined();
      await classifier.close();
    });

    it('says that it answers', async () => {
      const classifier = await createClassifier({ threads: 1, maxQueue: 10 });
      expect(classifier.isAnswering()).toBe(true);
      await classifier.close();
    });
  });

  describe(`${name} at its end`, () => {
    it('answers all that was accepted, running or waiting, before it closes', async () => {
      const classifier = await createClassifier({ threads: 2, maxQueue: 10 });
      let answered = 0;
      const texts = [harmlessText(10_000), KIND, KIND, VILE, KIND];
      const calls = texts.map(async (text) => {
        const { texts: judged } = await classifier.classify([text]);
        answered += judged.length;
      });
      await classifier.close();
      expect(answered).toBe(texts.length);
      await Promise.all(calls);
    });

    it('told to abandon, closes soon and fails what it had accepted', async () => {
      const classifier = await createClassifier({ threads: 2, maxQueue: 100 });
      const calls = Array.from({ length: 20 }, (_, index) =>
        classifier.classify([harmlessText(10_000, String(index))]),
      );
      const outcomes = Promise.allSettled(calls);
      const closing = classifier.close();
      await classifier.close('abandon');
      await closing;
      const codes = (await outcomes).map((outcome) =>
        outcome.status === 'rejected' ? codeOf(outcome.reason) : 'answered',
      );
      expect(codes).toEqual(Array<string>(20).fill('shutting_down'));
    });

    it('closes twice, also at once, and then refuses', async () => {
      const classifier = await createClassifier({ threads: 1, maxQueue: 10 });
      await Promise.all([classifier.close(), classifier.close()]);
      await classifier.close();
      await expect(classifier.classify([KIND])).rejects.toMatchObject({ name: 'ServiceError', code: 'shutting_down' });
    });
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}
