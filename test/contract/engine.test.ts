/** Promises of `parapet/engine`, the library, on the real model: the verdicts of the service, and nothing of it left behind. */
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine.js';
import { builtUrl } from '../support/built.js';
import { harmlessText, KIND, TOXIC } from '../support/texts.js';

const { createEncoder, createEngine, MAX_CONTENT_CHARACTERS, openNetwork, optionsFromEnvironment, resolvePolicy } =
  (await import(builtUrl('engine.js').href)) as typeof import('../../src/engine.js');

const MODEL = resolve('models/parapet-multi');

describe('an engine', () => {
  let engine: Engine;
  beforeAll(async () => (engine = await createEngine({ modelDir: MODEL, threads: 1 })));
  afterAll(() => engine.close());

  it('judges a text with the defaults of the service', async () => {
    expect(engine.model).toMatch(/^parapet-multi@\d/);
    expect(await engine.judge(KIND)).toMatchObject({ passed: true, band: 'Safe', language: { tag: 'en' } });
    const judgement = await engine.judge(TOXIC);
    expect(judgement).toMatchObject({ passed: false, categories: expect.arrayContaining(['toxic']) as unknown });
    expect(judgement.labels.toxicity).toBeGreaterThan(0.5);
    expect(Object.values(judgement.sentiments).reduce((sum, each) => sum + each, 0)).toBeCloseTo(1);
    expect(judgement).not.toHaveProperty('spans');
  });

  it('points at what it found where spans are asked for', async () => {
    const text = `${KIND}. ${TOXIC}`;
    const { spans = [] } = await engine.judge(text, { spans: true });
    const marked = spans.map(({ start, end }) => text.slice(start, end).trim());
    expect(new Set(marked)).toEqual(new Set([TOXIC]));
  });

  it('judges many at once, each as alone and in their order, whatever their number', async () => {
    const texts = Array.from({ length: 200 }, (_, index) => `${index % 2 === 0 ? KIND : TOXIC} ${index}`);
    const judgements = await engine.judgeAll(texts);
    expect(judgements.map(({ passed }) => passed)).toEqual(texts.map((text) => text.startsWith(KIND)));
    expect(await engine.judge(texts[7] ?? '')).toEqual(judgements[7]);
  });

  it('applies the policy that a call brings', async () => {
    const { settings } = optionsFromEnvironment({});
    const policy = resolvePolicy(settings, 'default', { blockedTerms: ['thanks'] });
    expect(await engine.judge('Thanks a lot!', { policy })).toMatchObject({
      passed: false,
      categories: ['blocked_term'],
    });
    expect(await engine.judge('Thanks a lot!')).toMatchObject({ passed: true, categories: [] });
  });

  it('refuses what the service refuses, by the same codes', async () => {
    await expect(engine.judge('')).rejects.toMatchObject({ name: 'ServiceError', code: 'invalid_body' });
    await expect(engine.judge('😀'.repeat(MAX_CONTENT_CHARACTERS + 1))).rejects.toMatchObject({
      code: 'content_too_long',
    });
  });
});

it('an engine refuses a folder that is no model, and a setting that is wrong', async () => {
  await expect(createEngine({ modelDir: '/nowhere', threads: 1 })).rejects.toMatchObject({ name: 'OperatorError' });
  expect(() => optionsFromEnvironment({ PASS_MAX_SCORE: '11' })).toThrow(/PASS_MAX_SCORE/);
});

it('a closed engine leaves nothing that keeps the process alive', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const engine = await createEngine({ modelDir: MODEL, threads: 1 });
  await engine.judge(KIND);
  await engine.close();
  expect(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort')).toHaveLength(before);
});

it('the bare network reads the runs that its encoder makes, and leaves early where a text is harmless', async () => {
  const encode = await createEncoder(MODEL);
  const network = await openNetwork(MODEL);
  const { whole, segments } = encode(`${KIND}. ${TOXIC}`);
  expect(segments).toHaveLength(2);
  expect(whole?.length).toBe(segments.reduce((sum, ids) => sum + ids.length, 0) - 2);
  expect(await network.run(encode(harmlessText(100)).segments[0] ?? new Int32Array())).toBe(true);
  expect(await network.run(encode(TOXIC).segments[0] ?? new Int32Array())).toBe(false);
  expect(network.tellsHighest).toBe(true);
});
