/** Turns a stream's content into requests, byte for byte, one after another. Knows texts and HTTP's wire format, nothing of time. */
import { createRandom } from '../../robustness/random.js';
import type { TextSequence } from '../texts/text-sequence.js';
import type { Content, Endpoint } from './load-plan.js';

/** Gives out unique texts by number, to all streams of a plan together, so that none is sent twice. */
export interface TextCounter {
  take(): number;
  /** The number that would be given out next. */
  readonly next: number;
}

export function createTextCounter(first: number): TextCounter {
  let next = first;
  return {
    take: () => next++,
    get next() {
      return next;
    },
  };
}

export interface FeedDeps {
  readonly endpoint: Endpoint;
  readonly texts: TextSequence;
  readonly counter: TextCounter;
}

export function createRequestFeed(content: Content, { endpoint, texts, counter }: FeedDeps): () => Uint8Array {
  const encode = createEncoder(endpoint);
  if (content.kind === 'unique') return () => encode(texts.unique(counter.take()));
  if (content.kind === 'sized') return () => encode(texts.sized(counter.take(), content.characters));
  const { hotShare, hotTexts } = content;
  const hot = Array.from({ length: hotTexts }, (_, index) => encode(texts.repeated(index)));
  const random = createRandom(counter.next);
  let count = 0;
  return () => {
    count += 1;
    // Exact over any stretch: the n-th request is a repeated one where n times the share passes a whole number.
    const isHot = Math.floor(count * hotShare) > Math.floor((count - 1) * hotShare);
    return isHot ? random.pick(hot) : encode(texts.unique(counter.take()));
  };
}

function createEncoder({ host, path, headers }: Endpoint): (text: string) => Uint8Array {
  const lines = [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/json'];
  const head = [...lines, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  return (text) => {
    const body = JSON.stringify({ content: text });
    return Buffer.from(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
}
