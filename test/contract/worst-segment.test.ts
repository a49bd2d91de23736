/** Promises of the ONNX runtime with a network that says what the worst of several segments is, on the tiny one in test/support/models/tiny-model. */
import { describe, expect, it } from 'vitest';
import type { Classifier } from '../../src/inference/classifier.js';
import { createPooling } from '../../src/moderation/pooling.js';
import { loadTiny } from '../support/models/tiny-classifier.js';
import { classifyWithSegments } from '../support/models/with-segments.js';

const [FIRST, SECOND] = ['You are good, the world is good.', 'The idiot is bad and stupid, hello.'];
const BOTH = `${FIRST} ${SECOND}`;

const load = (): Promise<Classifier> => loadTiny({ network: 'worst-segment.onnx' });

describe('a network that says what the worst of several segments is', () => {
  it('reads them once, and alone only for spans', async () => {
    const classifier = await load();
    const { predictions, whole, segments, sequences } = await classifier.classify(BOTH);
    expect(predictions).toMatchObject([{ start: 0, end: BOTH.length }]);
    expect(predictions[0]?.highest).toHaveLength(classifier.manifest.labels.length);
    expect(predictions[0]?.highest).not.toEqual(predictions[0]?.labels);
    expect({ whole, segments, sequences }).toEqual({ whole: undefined, segments: undefined, sequences: 1 });
    const located = await classifyWithSegments(classifier, BOTH);
    expect(located.segments.map(({ start, end }) => BOTH.slice(start, end))).toEqual([FIRST, SECOND]);
    expect(located.sequences).toBe(3);
    expect(located.predictions).toEqual(predictions);
  });

  it('says of a segment in a text what it says of it alone, which is all that is said of one', async () => {
    const classifier = await load();
    const { segments } = await classifyWithSegments(classifier, BOTH);
    for (const [index, text] of [FIRST, SECOND].entries()) {
      const { predictions, segments: own, sequences } = await classifier.classify(text);
      expect(predictions[0]).not.toHaveProperty('highest');
      expect(predictions[0]?.labels).toEqual(segments[index]?.labels);
      expect(own).toEqual(predictions);
      expect(sequences).toBe(1);
    }
  });

  it('reads a text that is more than one run segment by segment', async () => {
    const classifier = await load();
    const text = `${BOTH}\n`.repeat(20);
    const { predictions, segments, sequences } = await classifier.classify(text);
    expect(predictions).toHaveLength(40);
    expect(segments).toEqual(predictions);
    expect(sequences).toBe(40);
    for (const reading of predictions) expect(reading).not.toHaveProperty('highest');
  });

  it('gives a text the same probabilities with spans, also where its segments are further work', async () => {
    const classifier = await load();
    // 62 tokens together, 90 with a frame of each line.
    const text = 'the world is good\n'.repeat(15);
    const { predictions, sequences } = await classifier.classify(text);
    const located = await classifyWithSegments(classifier, text);
    expect(sequences).toBe(1);
    expect(located.segments).toHaveLength(15);
    expect(located.sequences).toBe(16);
    const pool = createPooling(classifier.manifest);
    expect(pool(located)).toEqual(pool({ predictions }));
  });
});
