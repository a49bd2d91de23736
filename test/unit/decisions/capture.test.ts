/** Promises of what is kept of verdicts before the store has it: nothing without a policy, bounded, counted where it is lost, never waited for. */
import { describe, expect, it, vi } from 'vitest';
import { CAPTURE_LIMITS, createCapture, type CaptureDeps, type LossReason } from '../../../src/decisions/capture.js';
import type { Decision } from '../../../src/decisions/decision-record.js';
import type { LostDecisions } from '../../../src/decisions/decision-repository.js';
import { createTextCipher, newDecisionsKey } from '../../../src/decisions/text-cipher.js';
import { OperatorError } from '../../../src/errors.js';
import type { KeepRule } from '../../../src/moderation/verdict-policy.js';
import { createFakeAnalyzer, FAKE_POLICY, INSULT } from '../../support/fake-analyzer.js';

const NOW = new Date('2026-11-29T10:00:00Z');
const DAY = 24 * 60 * 60 * 1000;
const analyzer = createFakeAnalyzer(() => INSULT);
const cipher = createTextCipher([Buffer.from(newDecisionsKey(), 'base64')]);

function captureOf(deps: Partial<CaptureDeps> = {}, limits: Partial<typeof CAPTURE_LIMITS> = {}) {
  const written: Decision[] = [];
  const lost: [LossReason, number][] = [];
  const noted: LostDecisions[] = [];
  const problems: (string | undefined)[] = [];
  const store = { fault: undefined as Error | undefined };
  const capture = createCapture({
    decisions: {
      insertMany(batch) {
        if (store.fault !== undefined) return Promise.reject(store.fault);
        written.push(...batch);
        return Promise.resolve();
      },
      noteLost(each) {
        if (store.fault instanceof OperatorError) return Promise.reject(store.fault);
        noted.push(...each);
        return Promise.resolve();
      },
    },
    onLost: (reason, count) => lost.push([reason, count]),
    onProblem: (problem) => problems.push(problem),
    now: () => NOW,
    limits: { ...CAPTURE_LIMITS, everyMs: 1, retryMs: 1, closeMs: 20, ...limits },
    ...deps,
  });
  const note = async (keep: KeepRule | undefined, metadata?: unknown, content = 'You are an idiot.') => {
    const policy = { ...FAKE_POLICY, keep, origin: { name: 'default', version: 7 } };
    const analysis = await analyzer.analyze(content, { policy });
    const door = '/v1/analyze';
    return capture.note({ keyId: 'k', projectId: 'p', door, requestId: 'r', content, metadata, analysis });
  };
  return { capture, note, written, lost, noted, problems, store };
}

describe('a decision', () => {
  it('is kept as the policy says, and only then', async () => {
    const { capture, note, written } = captureOf();
    expect(await note(undefined)).toBeUndefined();
    const id = await note({ what: 'verdicts', days: 30 }, { id: 'comment-1' });
    await capture.flush();
    expect(written).toEqual([
      {
        id,
        projectId: 'p',
        keyId: 'k',
        at: NOW.getTime(),
        requestId: 'r',
        reference: undefined,
        door: '/v1/analyze',
        passed: false,
        score: 8,
        categories: ['toxic', 'insult'],
        language: undefined,
        policyVersion: 7,
        content: undefined,
        deleteAt: NOW.getTime() + 30 * DAY,
        review: undefined,
        doubt: undefined,
      },
    ]);
  });

  it('has its text encrypted where texts are kept and there is a key, and no text otherwise', async () => {
    const { capture, note, written } = captureOf({ cipher });
    const id = (await note({ what: 'texts', days: 1 })) ?? '';
    await note({ what: 'verdicts', days: 1 });
    await capture.flush();
    expect(cipher?.open(written[0]?.content ?? new Uint8Array(), id)).toBe('You are an idiot.');
    expect(written[1]?.content).toBeUndefined();
    const without = captureOf();
    await without.note({ what: 'texts', days: 1 });
    await without.capture.flush();
    expect(without.written.map(({ content }) => content)).toEqual([undefined]);
  });

  it.each<[unknown, string | undefined]>([
    [{ id: 'comment-1' }, 'comment-1'],
    [{ id: 42 }, '42'],
    [{ id: '' }, undefined],
    [{ id: 'line\nbreak' }, undefined],
    [{ id: 'nul\u0000' }, undefined],
    [{ id: '\ud800' }, undefined],
    [{ id: 'x'.repeat(201) }, undefined],
    [{ id: { nested: true } }, undefined],
    [{ other: 'x' }, undefined],
    [Object.create({ id: 'inherited' }), undefined],
    [undefined, undefined],
  ])('of metadata %j has the reference %j', async (metadata, reference) => {
    const { capture, note, written } = captureOf();
    await note({ what: 'verdicts', days: 1, reference: 'id' }, metadata);
    await capture.flush();
    expect(written.map((each) => each.reference)).toEqual([reference]);
  });

  it('is to be reviewed where that is asked, the doubt beside it', async () => {
    const { capture, note, written } = captureOf({ reviewOf: ({ verdict }) => verdict.score / 10 });
    await note({ what: 'verdicts', days: 1 });
    await capture.flush();
    expect(written).toMatchObject([{ review: 'open', doubt: 0.8 }]);
  });

  it('is written by itself, with those that came meanwhile', async () => {
    const { note, written } = captureOf();
    await Promise.all(Array.from({ length: 1200 }, () => note({ what: 'verdicts', days: 1 })));
    await vi.waitFor(() => expect(written).toHaveLength(1200));
    expect(new Set(written.map(({ id }) => id)).size).toBe(1200);
  });
});

describe('while the store is away', () => {
  it('decisions wait, those beyond the bound are counted as lost, and all is told once it is back', async () => {
    const { note, written, lost, noted, problems, store } = captureOf({}, { mostEntries: 3 });
    store.fault = new OperatorError('The database does not answer.');
    const ids = [];
    for (let each = 0; each < 5; each += 1) ids.push(await note({ what: 'verdicts', days: 1 }));
    expect(ids.map((id) => id === undefined)).toEqual([false, false, false, true, true]);
    await vi.waitFor(() => expect(problems).toEqual(['The database does not answer.']));
    store.fault = undefined;
    await vi.waitFor(() => expect(noted).toEqual([{ projectId: 'p', day: '2026-11-29', lost: 2 }]));
    expect(written.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(lost).toEqual([
      ['full', 1],
      ['full', 1],
    ]);
    expect(problems).toEqual(['The database does not answer.', undefined]);
  });

  it('texts take no more memory than they may', async () => {
    const { note, lost, store } = captureOf({ cipher }, { mostBytes: 50_000 });
    store.fault = new OperatorError('away');
    for (let each = 0; each < 10; each += 1) await note({ what: 'texts', days: 1 }, undefined, 'x'.repeat(10_000));
    expect(lost).toHaveLength(5);
  });

  it('what the store takes never is lost, and holds nothing up', async () => {
    const { capture, note, written, lost, store } = captureOf();
    store.fault = new Error('a value is wrong');
    await note({ what: 'verdicts', days: 1 });
    await capture.flush();
    store.fault = undefined;
    await note({ what: 'verdicts', days: 1 });
    await capture.flush();
    expect(lost).toEqual([['refused', 1]]);
    expect(written).toHaveLength(1);
  });
});

describe('the end of the service', () => {
  it('writes what waits', async () => {
    const { capture, note, written, lost } = captureOf({}, { everyMs: 60_000 });
    await note({ what: 'verdicts', days: 1 });
    await capture.close();
    expect(written).toHaveLength(1);
    expect(lost).toEqual([]);
  });

  it('does not wait for a store that does not answer', async () => {
    const insertMany = () => new Promise<void>(() => undefined);
    const { capture, note, lost } = captureOf({ decisions: { insertMany, noteLost: insertMany } });
    await note({ what: 'verdicts', days: 1 });
    await capture.close();
    expect(lost).toEqual([['stopped', 1]]);
  });
});
