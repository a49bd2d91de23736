/** Classifies texts for tests that look at segments, as callers do who want spans. */
import type { Caller } from '../../../src/caller.js';
import type { Classification, Classifier, Prediction } from '../../../src/inference/classifier.js';

/** @throws Error where a classifier that was asked for the segments does not give them */
export async function classifyWithSegments(
  classifier: Classifier,
  text: string,
  caller: Caller = {},
): Promise<Classification & { segments: readonly Prediction[] }> {
  const { segments, ...classification } = await classifier.classify(text, { ...caller, spans: true });
  if (segments === undefined) throw new Error('the classifier gave no segments');
  return { ...classification, segments };
}
