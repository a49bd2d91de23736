/** Promises of the reading thread: it is there when there is work, one job does not spoil the next, and what waits is bounded. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createReadingThread } from '../../../src/reading/reading-thread.js';
import { builtUrl } from '../../support/built.js';

function reading(options: Parameters<typeof createReadingThread>[0] = {}) {
  const created = createReadingThread({ workerUrl: builtUrl('reading/worker.js'), ...options });
  onTestFinished(() => created.close());
  return created;
}

/** A thread that does as its job's text says. */
const FICKLE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ text }) => {
      if (text === 'die') process.exit(1);
      if (text === 'throw') throw new Error('quotes a secret');
      parentPort.postMessage(text === 'fault' ? { fault: 'TypeError' } : { result: threadId });
    });
  `)}`,
);

const bytesOf = (value: unknown): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(JSON.stringify(value)));

describe('the reading thread', () => {
  it('reads a body as its route has it, and says what is wrong with it', async () => {
    const { readBody } = reading();
    expect(await readBody(bytesOf({ content: 'hi', more: 1 }), 'POST /v1/analyze')).toEqual({ content: 'hi' });
    await expect(readBody(bytesOf({ content: 7 }), 'POST /v1/analyze')).rejects.toMatchObject({
      code: 'invalid_body',
      detail: 'content must be a string.',
      errors: [{ path: 'content', message: 'must be a string' }],
    });
    await expect(readBody(new Uint8Array(Buffer.alloc(70_000, ' ')), 'POST /v1/analyze/batch')).rejects.toMatchObject({
      code: 'malformed_json',
      detail: 'The body is empty; send a JSON object with "items".',
    });
    expect(await readBody(bytesOf({ content: 'hi' }), 'POST /nowhere')).toBeUndefined();
  });

  it('takes no body from under a buffer that is a part of a larger one', async () => {
    const whole = Buffer.concat([bytesOf({ content: 'hi' }), Buffer.from('more')]);
    const part = whole.subarray(0, -4);
    await reading().readBody(part, 'POST /v1/analyze');
    expect(whole.toString()).toBe('{"content":"hi"}more');
  });

  it('undoes disguises as the model reads them', async () => {
    expect(await reading().normalise('f.u.c.k')).toBe('fuck');
  });

  it.each(['die', 'throw', 'fault'])(
    'answers the jobs after one with which it happens to %s, and tells no text',
    async (text) => {
      const { normalise } = reading({ workerUrl: FICKLE });
      const [failed, next] = await Promise.allSettled([normalise(text), normalise('next')]);
      expect(failed).toMatchObject({ status: 'rejected' });
      expect(JSON.stringify(failed)).not.toContain('secret');
      expect(next).toMatchObject({ status: 'fulfilled' });
    },
  );

  it('ends when it is idle, and begins anew', async () => {
    const { normalise } = reading({ workerUrl: FICKLE, idleMs: 0 });
    const first = await normalise('a');
    await expect.poll(async () => (await normalise('b')) !== first).toBe(true);
  });

  it('refuses what is too much to wait, by name, and takes more when there is room', async () => {
    const { normalise, checkTerms } = reading({ workerUrl: FICKLE, mostWaitingBytes: 3 });
    const accepted = [normalise('a'), normalise('abc')];
    await expect(normalise('b')).rejects.toMatchObject({ code: 'queue_full', retryAfterSeconds: 1 });
    await expect(checkTerms('b')).rejects.toThrow('Too many lists of terms are waiting');
    await Promise.all(accepted);
    await normalise('c');
  });

  it('rejects what is not done when it is closed', async () => {
    const { normalise, close } = reading({ workerUrl: FICKLE });
    const jobs = Promise.allSettled([normalise('a'), normalise('b')]);
    await close();
    expect((await jobs).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
