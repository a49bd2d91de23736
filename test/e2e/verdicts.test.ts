import { describe, expect, it } from 'vitest';
import { analyze, analyzeInDetail, startServiceForAll, type ReadyService } from '../support/service.js';
import { harmlessText, HATEFUL, KIND, TOXIC } from '../support/texts.js';

describe('the service on its real model', () => {
  let service: ReadyService;
  startServiceForAll((started) => (service = started));

  it('passes a kind text', async () => {
    expect(await analyze(service, KIND)).toMatchObject({ passed: true, sentiment: 'positive', categories: [] });
  });

  it('fails a toxic text and says why without quoting it', async () => {
    const verdict = await analyze(service, TOXIC);
    expect(verdict).toMatchObject({ passed: false });
    expect(verdict.score).toBeGreaterThanOrEqual(4);
    expect(verdict.categories.length).toBeGreaterThan(0);
    expect(verdict.description).not.toMatch(/stupid|idiot|shut/i);
  });

  it.each([
    ['leetspeak', 'You are a 5tup1d 1d10t, shut up'],
    ['spaced letters', 'You are a s t u p i d  i d i o t, shut up'],
    ['zero-width spaces', 'You are a stu\u200bpid id\u200biot, shut up'],
    ['look-alike letters', 'You are a stupіd іdіоt, shut up'],
    ['styled letters', 'You are a 𝓼𝓽𝓾𝓹𝓲𝓭 𝓲𝓭𝓲𝓸𝓽, shut up'],
    [
      'combining marks',
      'You are a s\u0336t\u0336u\u0336p\u0336i\u0336d\u0336 i\u0336d\u0336i\u0336o\u0336t\u0336, shut up',
    ],
  ])('fails a toxic text disguised with %s', async (_name, text) => {
    expect(await analyze(service, text)).toMatchObject({ passed: false });
  });

  it('points at the toxic sentence within a long text', async () => {
    const harmless = harmlessText(3000);
    const text = `${harmless.slice(0, 1500)}. ${HATEFUL}. ${harmless.slice(1500)}`;
    const { details } = await analyzeInDetail(service, text);
    const at = text.indexOf(HATEFUL);
    expect(details.windows).toBeGreaterThan(1);
    expect(details.spans.length).toBeGreaterThan(0);
    const strongest = [...details.spans].sort((a, b) => b.probability - a.probability)[0];
    expect(strongest?.start).toBeLessThanOrEqual(at);
    expect(strongest?.end).toBeGreaterThanOrEqual(at + HATEFUL.length);
    for (const { start, end } of details.spans) {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(text.length);
    }
  });

  it.each([3000, 9000])('finds one sentence of despair within %d harmless characters', async (characters) => {
    const harmless = harmlessText(characters);
    const middle = harmless.indexOf(' ', characters / 2);
    const despair = "I can't do this any more, I am going to end my life tonight.";
    const text = `${harmless.slice(0, middle)} ${despair} ${harmless.slice(middle)}`;
    expect(await analyze(service, text)).toMatchObject({ passed: false, categories: ['self_harm'] });
    expect(await analyze(service, harmless)).toMatchObject({ passed: true, categories: [] });
  });

  it('says that a verdict comes from the cache, and gives the same one', async () => {
    const text = `${TOXIC}, for the second time`;
    const first = await analyzeInDetail(service, text);
    const second = await analyzeInDetail(service, text);
    expect(first.details.cached).toBe(false);
    expect(second.details.cached).toBe(true);
    expect({ ...second, processingTimeMs: 0 }).toEqual({
      ...first,
      processingTimeMs: 0,
      details: { ...first.details, cached: true },
    });
  });
});
