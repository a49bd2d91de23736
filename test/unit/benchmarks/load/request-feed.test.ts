/** Promises of the requests: whole HTTP/1.1 messages with the share of repeated texts that was asked for. */
import { describe, expect, it } from 'vitest';
import { readHead } from '../../../../benchmarks/load/generator/http-connection.js';
import type { Content } from '../../../../benchmarks/load/generator/load-plan.js';
import { createRequestFeed, createTextCounter } from '../../../../benchmarks/load/generator/request-feed.js';
import { createTextSequence } from '../../../../benchmarks/load/texts/text-sequence.js';

const endpoint = { host: '127.0.0.1', ports: [3000], path: '/v1/analyze', headers: { 'X-API-Key': 'k' } };
const texts = createTextSequence(['naïve “one”', 'two', 'three']);

function requestsOf(content: Content, count: number): { requests: string[]; next: number } {
  const counter = createTextCounter(7);
  const feed = createRequestFeed(content, { endpoint, texts, counter });
  const requests = Array.from({ length: count }, () => Buffer.from(feed()).toString());
  return { requests, next: counter.next };
}

describe('a request', () => {
  it('is one whole message whose length is in bytes', () => {
    const { requests } = requestsOf({ kind: 'unique' }, 3);
    for (const request of requests) {
      const [head = '', body = ''] = request.split('\r\n\r\n');
      expect(head.split('\r\n').slice(0, 2)).toEqual(['POST /v1/analyze HTTP/1.1', 'Host: 127.0.0.1']);
      expect(head).toContain('X-API-Key: k');
      expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
      expect(JSON.parse(body)).toEqual({ content: expect.any(String) as string });
    }
  });

  it.each([0, 0.5, 0.9, 0.99, 1])('is a repeated one in a share of %d, to the request', (hotShare) => {
    const { next } = requestsOf({ kind: 'repeated', hotShare, hotTexts: 3 }, 1000);
    expect(next - 7).toBe(Math.round(1000 * (1 - hotShare)));
  });
});

describe('the head of an answer', () => {
  const answer = (text: string) => readHead(Buffer.from(text));

  it('gives status, whole length, and whether the connection ends', () => {
    const head = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\nconnection: close\r\n\r\n';
    expect(answer(`${head}{}`)).toEqual({ status: 503, length: head.length + 2, closes: true });
    const kept = 'HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n';
    expect(answer(kept)).toEqual({ status: 200, length: kept.length + 12, closes: false });
  });
});
