import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/caller.js';
import { createFakeAnalyzer, HARMLESS } from '../support/fake-analyzer.js';
import { deferred } from '../support/deferred.js';
import { createHttpService } from '../support/http-service.js';
import { openConnection } from '../support/raw-http.js';

/** An analyzer that answers nothing by itself, and says when it is asked and when it is told to give up. */
function createPatientAnalyzer() {
  const asked = deferred<AbortSignal | undefined>();
  const fake = createFakeAnalyzer();
  const wait = (_text: string, { signal }: Caller = {}): Promise<never> => {
    asked.resolve(signal);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  return {
    asked: asked.promise,
    analyzer: {
      ...fake,
      analyze: wait,
      analyzeAndLocate: wait,
    },
  };
}

describe('a client that goes away before its answer', () => {
  it.each(['/v1/analyze', '/v1/analyze?details=true'])(
    'has its analysis given up (%s), and is logged as gone',
    async (path) => {
      const { analyzer, asked } = createPatientAnalyzer();
      const service = await createHttpService({ analyzer });
      const port = await service.listen();
      const { socket } = openConnection(port);
      const body = JSON.stringify({ content: 'Is anybody there?' });
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      const signal = await asked;
      expect(signal?.aborted).toBe(false);
      const aborted = new Promise((resolve) => signal?.addEventListener('abort', () => resolve(undefined)));
      socket.destroy();
      await aborted;
      await expect.poll(() => service.log()).toMatch(/"status":499/);
      expect(service.log()).not.toContain('internal error');
      expect(await service.metricsText()).toMatch(/parapet_http_request_duration_seconds_count\{[^}]*status="499"\} 1/);
    },
  );
});

describe('a client that waits', () => {
  it('does not have its next analysis given up when the first is answered', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const fake = createFakeAnalyzer();
    const service = await createHttpService({
      analyzer: {
        ...fake,
        analyze(text, caller) {
          signals.push(caller?.signal);
          return fake.analyze(text);
        },
      },
    });
    const answers = [await service.analyze({ content: 'one' }), await service.analyze({ content: 'two' })];
    expect(answers.map((answer) => answer.json<{ score: number }>().score)).toEqual([HARMLESS.score, HARMLESS.score]);
    expect(signals).toHaveLength(2);
    expect(signals[1]?.aborted).toBe(false);
  });
});
