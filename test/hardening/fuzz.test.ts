/**
 * A fuzz of every operation that /openapi.json describes, against the built service with the real model: every request gets an answer
 * that the description announces, none a 5xx but the designed 503, and memory does not grow.
 */
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readUsage } from '../../benchmarks/load/targets/process-usage.js';
import { openAiErrorResponse } from '../../src/http/compat/openai-schemas.js';
import { perspectiveErrorResponse } from '../../src/http/compat/perspective-schemas.js';
import { problemResponse } from '../../src/http/routes/schemas.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { createKey, startService } from '../support/service.js';
import {
  announcedStatuses,
  parseApiDocument,
  requestsOf,
  type ApiDocument,
  type FuzzRequest,
} from './openapi-requests.js';
import { SEED, sized, TIME_LIMIT_MS } from './scale.js';

const REQUESTS = sized({ short: 400, long: 100_000 });
const AT_ONCE = 8;
const MOST_GROWTH_MEGABYTES = 150;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function send(address: string, agent: Agent, { method, url, headers, body }: FuzzRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = httpRequest(`${address}${encodeURI(decodeLoosely(url))}`, {
      agent,
      method,
      headers: { ...headers, ...length },
    });
    outgoing.on('response', (response) => {
      text(response).then(
        (received) =>
          resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body: received }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Node refuses to send what is no URL at all; broken URLs byte by byte are in test/http. */
function decodeLoosely(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return '/v1/analyze';
  }
}

/** Methods and paths beside the described ones have the statuses that HTTP means for them. */
const OF_HTTP = ['400', '404', '405'];

function complaintAbout(sent: FuzzRequest, answer: Answer, document: ApiDocument): string | undefined {
  const [path = ''] = sent.url.split('?');
  const announced = [...announcedStatuses(document, sent.method, path), ...OF_HTTP];
  const isOfPage = answer.status === 200 || sent.method === 'OPTIONS';
  if (!announced.includes(String(answer.status)) && !isOfPage) return `${answer.status} is not announced`;
  if (answer.status >= 500 && answer.status !== 503) return `${answer.status}`;
  if (answer.status === 200 || answer.body === '') return undefined;
  const { shape, type } = ERRORS_OF_OTHERS.find(({ prefix }) => path.startsWith(prefix)) ?? OUR_ERRORS;
  const parsed = shape.safeParse(type === 'text/plain' ? answer.body : JSON.parse(answer.body));
  return parsed.success && answer.type.startsWith(type) ? undefined : 'not the error that its API promises';
}

const OUR_ERRORS = { shape: problemResponse, type: 'application/problem+json' };
const ERRORS_OF_OTHERS = [
  { prefix: '/v1/moderations', shape: openAiErrorResponse, type: 'application/json' },
  { prefix: '/v1alpha1/', shape: perspectiveErrorResponse, type: 'application/json' },
  { prefix: '/request', shape: z.string(), type: 'text/plain' },
  { prefix: '/response', shape: z.string(), type: 'text/plain' },
];

describe('whatever is sent to the operations of /openapi.json', () => {
  it(
    'is answered as announced, never with a fault of ours, and leaves no growth',
    async () => {
      const service = await startService({
        RATE_LIMIT_PER_MINUTE: '0',
        FAILED_KEYS_PER_MINUTE: '0',
      });
      const revoked = await createKey(service.keysFile);
      await openFileStore(service.keysFile).keys.revoke(revoked.id);
      const document = parseApiDocument(await (await fetch(`${service.address}/openapi.json`)).json());
      const keys = [service.key, service.key, service.key, revoked.key];
      const requests = fc.sample(requestsOf(document, keys), { numRuns: REQUESTS, seed: SEED });
      const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
      const counts = new Map<number, number>();
      const complaints: string[] = [];
      const rss: number[] = [];
      const { pid = 0 } = service.child;
      let next = 0;
      const client = async (): Promise<void> => {
        for (let sent = requests[next++]; sent !== undefined; sent = requests[next++]) {
          const answer = await send(service.address, agent, sent).catch((error: unknown) => ({
            status: 0,
            type: '',
            body: String(error),
          }));
          counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
          const complaint = answer.status === 0 ? answer.body : complaintAbout(sent, answer, document);
          if (complaint !== undefined) complaints.push(`${complaint}: ${sent.method} ${sent.url}`);
          if (next % Math.ceil(REQUESTS / 20) === 0) rss.push((await readUsage(pid))?.memoryMegabytes ?? 0);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, client));
      agent.destroy();
      console.info(
        `seed ${SEED}: ${[...counts]
          .sort()
          .map(([status, count]) => `${count} × ${status}`)
          .join(', ')}; ` + `memory ${rss.map((megabytes) => megabytes.toFixed(0)).join(' ')} MB`,
      );
      expect(complaints.slice(0, 20)).toEqual([]);
      // The fuzz reaches the model as well as the refusals.
      expect(counts.get(200)).toBeGreaterThan(REQUESTS / 10);
      expect(counts.get(400)).toBeGreaterThan(REQUESTS / 50);
      expect((rss.at(-1) ?? 0) - (rss[Math.floor(rss.length / 4)] ?? 0)).toBeLessThan(MOST_GROWTH_MEGABYTES);
      expect(service.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
      expect((await fetch(`${service.address}/v1/health`)).status).toBe(200);
    },
    TIME_LIMIT_MS,
  );
});
