/** What every model runtime must do. Each runtime's test file runs this suite on its real model. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Classification, Classifier, Prediction } from '../../src/inference/classifier.js';
import type { Label, Sentiment } from '../../src/labels.js';
import { createPooling } from '../../src/moderation/pooling.js';
import { termsOf } from '../../src/policies/resolve-policy.js';
import { harmlessText, KIND, TOXIC } from '../support/texts.js';
import { classifyWithSegments } from '../support/with-segments.js';

export interface ClassifierSize {
  readonly threads: number;
  readonly maxQueue: number;
}

const THREADS = 2;

const SHORT_TEXTS = [
  KIND,
  TOXIC,
  'ok',
  'I will find you and kill you',
  'The train leaves at 10:15 from platform 4.',
  '',
  'Der Hund schläft',
  '中文字符',
  '!!!',
  '😀',
  // More than one sequence holds.
  harmlessText(2000),
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

/** What was said of a text, without how long it took. */
function saidOf({ predictions, segments, whole, foreignLetters, sequences }: Classification) {
  return { predictions, segments, whole, foreignLetters, sequences };
}

function expectProbabilities({ predictions, whole, segments = [] }: Classification, { manifest }: Classifier): void {
  expect(predictions.length).toBeGreaterThan(0);
  for (const reading of [...predictions, ...segments, ...(whole === undefined ? [] : [whole])]) {
    const { labels, highest = labels, sentiments } = reading;
    expect(labels).toHaveLength(manifest.labels.length);
    expect(highest).toHaveLength(manifest.labels.length);
    expect(sentiments).toHaveLength(manifest.sentiments.length);
    for (const value of [...labels, ...highest, ...sentiments]) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
    }
    expect(sentiments.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 3);
  }
}

function expectCovered(text: string, segments: readonly Prediction[]): void {
  let reached = 0;
  for (const { start, end, tokens } of segments) {
    expect(start).toBeGreaterThanOrEqual(reached);
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(text.length);
    expect(tokens).toBeGreaterThan(0);
    for (const character of text.slice(reached, start)) expect(character).toMatch(INVISIBLE);
    reached = end;
  }
  for (const character of text.slice(reached)) expect(character).toMatch(INVISIBLE);
}

function strongest(predictions: readonly Prediction[], label: Label, { manifest }: Classifier): number {
  const column = manifest.labels.indexOf(label);
  return Math.max(...predictions.map(({ labels, highest = labels }) => highest[column] ?? NaN));
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

    it('gives a text exactly the same answer alone, beside others, with one worker, with four, and again', async () => {
      const alone: unknown[] = [];
      for (const text of SHORT_TEXTS) alone.push(saidOf(await classifyWithSegments(classifier, text)));
      const judgedBy = (other: Classifier) =>
        Promise.all(SHORT_TEXTS.map(async (text) => saidOf(await classifyWithSegments(other, text))));
      expect(await judgedBy(classifier)).toEqual(alone);
      for (const threads of [1, 4]) {
        const other = await createClassifier({ threads, maxQueue: 1000 });
        expect(await judgedBy(other)).toEqual(alone);
        await other.close();
      }
    });

    it('gives each segment of a long text the probabilities that it has alone', async () => {
      const text = harmlessText(2000);
      const { segments } = await classifyWithSegments(classifier, text);
      expect(segments.length).toBeGreaterThan(3);
      for (const { start, end, labels, sentiments } of segments.slice(0, 10)) {
        const alone = await classifyWithSegments(classifier, text.slice(start, end));
        expect(alone.segments).toMatchObject([{ start: 0, end: end - start, labels, sentiments }]);
      }
    });

    it('gives a text the same probabilities whether spans are wanted or not', async () => {
      for (const text of [...SHORT_TEXTS, `${KIND}. ${TOXIC}.`]) {
        const { predictions, whole } = await classifyWithSegments(classifier, text);
        const without = await classifier.classify(text);
        expect({ predictions, whole }).toEqual({ predictions: without.predictions, whole: without.whole });
      }
    });

    it('answers calls that run at once each with its own text', async () => {
      const texts = SHORT_TEXTS.filter((text) => text !== '');
      const judged = await Promise.all([...texts, ...texts].map((text) => classifier.classify(text)));
      expect(judged.map(({ predictions }) => predictions.at(-1)?.end)).toEqual(
        [...texts, ...texts].map(({ length }) => length),
      );
    });

    it('gives probabilities from 0 to 1, and sentiments that sum to 1', async () => {
      for (const text of SHORT_TEXTS) expectProbabilities(await classifier.classify(text), classifier);
    });

    it('tells a toxic text from a kind one', async () => {
      const { manifest } = classifier;
      const [kind, toxic] = [
        createPooling(manifest)(await classifier.classify(KIND)),
        createPooling(manifest)(await classifier.classify(TOXIC)),
      ];
      const { toxicity } = manifest.calibration.thresholds;
      expect(toxic.labels.get('toxicity')).toBeGreaterThanOrEqual(toxicity);
      expect(kind.labels.get('toxicity')).toBeLessThan(toxicity);
      const likeliest = [...kind.sentiments].sort(([, one], [, other]) => other - one)[0]?.[0];
      expect(likeliest).toBe(sentimentOfKind);
    });

    it.each(HARD_TEXTS)('covers %s with segments', async (_name, text) => {
      const judged = await classifyWithSegments(classifier, text);
      expectProbabilities(judged, classifier);
      expectCovered(text, judged.segments);
      expectCovered(text, judged.predictions);
    });

    it.each([
      ['an empty text', ''],
      ['whitespace alone', ' \n\t \u00a0\u3000 '],
      ['invisible characters alone', '\u200b\u0000\ufeff'],
    ])('gives %s one empty segment', async (_name, text) => {
      const judged = await classifier.classify(text);
      expect(judged.segments).toMatchObject([{ start: 0, end: text.length, tokens: 0 }]);
      expect(judged.whole).toBeUndefined();
      expectProbabilities(judged, classifier);
    });

    let toxicityOfHarmless: Promise<number> | undefined;
    it.each([0, 5000, 9960])('sees a toxic sentence at character %i of a long harmless text', async (at) => {
      const toxicityOf = async (text: string): Promise<number> =>
        strongest((await classifier.classify(text)).predictions, 'toxicity', classifier);
      const harmless = harmlessText(9960);
      const [before, after] = [harmless.slice(0, at), harmless.slice(at)];
      toxicityOfHarmless ??= toxicityOf(harmless);
      expect(await toxicityOf(`${before}. ${TOXIC}. ${after}`)).toBeGreaterThan(await toxicityOfHarmless);
      // On a line of its own it is what it is alone.
      const { segments } = await classifyWithSegments(classifier, `${before}\n${TOXIC}.\n${after}`);
      expect(strongest(segments, 'toxicity', classifier)).toBeGreaterThanOrEqual(await toxicityOf(`${TOXIC}.`));
    });

    it("tells where a caller's blocked terms stand in the text as sent, and finds none of another caller's", async () => {
      const text = 'My \uff37idgeto is fine, w1dgeto is not here. Scunthorpe neither.';
      const terms = termsOf({ blockedTerms: ['widgeto', 'thorp*'] });
      const { blockedTerms } = await classifier.classify(text, { terms });
      expect(blockedTerms?.map(({ start, end }) => text.slice(start, end))).toEqual(['\uff37idgeto', 'w1dgeto']);
      const others = termsOf({ blockedTerms: ['neither'] });
      expect((await classifier.classify(text, { terms: others })).blockedTerms).toMatchObject([
        { start: text.indexOf('neither') },
      ]);
      expect((await classifier.classify(text)).blockedTerms).toBeUndefined();
    });

    it('reads a neutral word in place of a term that never counts, and nothing else otherwise', async () => {
      const of = async (text: string, ignored: string[]): Promise<readonly number[]> => [
        ...createPooling(classifier.manifest)(
          await classifier.classify(text, { terms: termsOf({ ignoredTerms: ignored }) }),
        ).labels.values(),
      ];
      const [word = ''] = /idiot|stupid|moron/.exec(TOXIC) ?? [];
      expect(word).not.toBe('');
      expect(await of(TOXIC, [word])).toEqual(await of(TOXIC.replace(word, 'radio'), []));
      expect(await of(TOXIC, [word])).not.toEqual(await of(TOXIC, []));
      expect(await of(KIND, ['widgeto'])).toEqual(await of(KIND, []));
    });

    it('says how long it took', async () => {
      const begun = performance.now();
      const { timings } = await classifier.classify(harmlessText(2000));
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
            classifier.classify(harmlessText(2500, String(index))).then(
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
        await expect(classifier.classify(KIND)).resolves.toBeDefined();
        await classifier.close();
      },
    );

    it('counts what waits, and answers in the order of arrival', async () => {
      const classifier = await createClassifier({ threads: 1, maxQueue: 100 });
      const order: number[] = [];
      const calls = Array.from({ length: 30 }, async (_, index) => {
        await classifier.classify(`${KIND} ${index}`);
        order.push(index);
      });
      expect(classifier.stats().waiting).toBe(29);
      await Promise.all(calls);
      expect(order).toEqual(Array.from({ length: 30 }, (_, index) => index));
      expect(classifier.stats().waiting).toBe(0);
      await classifier.close();
    });
  });

  describe(`${name} whose callers go away`, () => {
    let classifier: Classifier;
    beforeAll(async () => {
      classifier = await createClassifier({ threads: 1, maxQueue: 2 });
    });
    afterAll(() => classifier.close());

    it('frees their places at once, and judges the others', async () => {
      const gone = new AbortController();
      const running = classifier.classify(harmlessText(3000));
      const leaving = [1, 2].map((number) => classifier.classify(`${KIND} ${number}`, { signal: gone.signal }));
      const refused = expect(classifier.classify(TOXIC)).rejects.toMatchObject({ code: 'queue_full' });
      await refused;
      gone.abort(new Error('the caller has gone'));
      for (const outcome of await Promise.allSettled(leaving)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the caller has gone' } });
      }
      expect(strongest((await classifier.classify(TOXIC)).predictions, 'toxicity', classifier)).toBeGreaterThan(0.5);
      expect((await running).predictions.length).toBeGreaterThan(1);
    });

    it('gives up a long text between two of its runs', async () => {
      const gone = new AbortController();
      const long = classifier.classify(harmlessText(10_000), { signal: gone.signal });
      await classifier.classify(KIND);
      gone.abort(new Error('the caller has gone'));
      await expect(long).rejects.toThrow('the caller has gone');
      expect(classifier.stats().waiting).toBe(0);
    });

    it('refuses a call that was given up before, and goes on answering', async () => {
      const gone = AbortSignal.abort(new Error('the caller has gone'));
      await expect(classifier.classify(KIND, { signal: gone })).rejects.toThrow('the caller has gone');
      await expect(classifier.classify(KIND)).resolves.toBeDefined();
      expect(classifier.isAnswering()).toBe(true);
    });
  });

  describe(`${name} at its end`, () => {
    it('answers all that was accepted, running or waiting, before it closes', async () => {
      const classifier = await createClassifier({ threads: 2, maxQueue: 10 });
      let answered = 0;
      const texts = [harmlessText(4000), KIND, KIND, TOXIC, KIND];
      const calls = texts.map(async (text) => {
        await classifier.classify(text);
        answered += 1;
      });
      await classifier.close();
      expect(answered).toBe(texts.length);
      await Promise.all(calls);
    });

    it('told to abandon, closes soon and fails what it had accepted', async () => {
      const classifier = await createClassifier({ threads: 2, maxQueue: 100 });
      const calls = Array.from({ length: 20 }, (_, index) => classifier.classify(harmlessText(10_000, String(index))));
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
      await expect(classifier.classify(KIND)).rejects.toMatchObject({ name: 'ServiceError', code: 'shutting_down' });
    });
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}
