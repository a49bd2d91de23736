/**
 * The process behind `npm run bench:batch`: the same number of new texts by single requests and by batches over HTTP, against a
 * running service, and how much faster the batches are.
 */
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { OperatorError } from '../../src/errors.js';
import { readFlags, runCommand, wholeNumber, wrongFlag } from '../command.js';

const ROUNDS = 3;
const BATCH_ITEMS = 128;
const CONNECTIONS = 8;

const DEFAULT_URL = 'http://127.0.0.1:3000';
const DEFAULT_TEXTS = '512';

const HELP = `Usage: npm run --silent bench:batch -- [--url URL] [--key KEY] [--texts N]

Sends new texts to a running service, by single requests and by batches, and says how much faster the batches are.

  --url URL             where the service is (${DEFAULT_URL})
  --key KEY             a key of it; without the flag, the key in the variable PARAPET_KEY
  --texts N             texts that each way sends in each of ${ROUNDS} rounds (${DEFAULT_TEXTS})

Exit status: 0, or 2 with the reason on standard error.
`;

interface Service {
  readonly url: string;
  readonly key: string;
}

await runCommand(HELP, async (argv) => {
  const { url, key, texts } = readFlags(argv, {
    url: { type: 'string', default: DEFAULT_URL },
    key: { type: 'string', default: process.env.PARAPET_KEY ?? '' },
    texts: { type: 'string', default: DEFAULT_TEXTS },
  });
  if (!/^https?:/.test(url) || !URL.canParse(url)) throw wrongFlag('--url must start with http:// or https://');
  if (key === '') throw wrongFlag('--key is missing, and the variable PARAPET_KEY is empty');
  await compare({ url, key }, wholeNumber('texts', texts, 1));
});

async function compare(service: Service, count: number): Promise<void> {
  const ways = {
    'single requests, one after another': () => singly(service, count, 1),
    [`single requests, ${CONNECTIONS} at a time`]: () => singly(service, count, CONNECTIONS),
    [`batches of ${Math.min(BATCH_ITEMS, count)}, one after another`]: () => inBatches(service, count),
  };
  // In turns, so that whatever else the machine does falls on all alike.
  const bestMs = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const begun = performance.now();
      await way();
      bestMs.set(name, Math.min(bestMs.get(name) ?? Infinity, performance.now() - begun));
    }
  }
  const [slowestMs = 0] = bestMs.values();
  for (const [name, ms] of bestMs) {
    const rate = ((count / ms) * 1000).toFixed(0);
    process.stdout.write(`${name.padEnd(36)} ${rate.padStart(6)} texts/s   ${(slowestMs / ms).toFixed(2)} times\n`);
  }
}

async function singly(service: Service, count: number, connections: number): Promise<void> {
  const texts = newTexts(count).values();
  const send = async (): Promise<void> => {
    for (const text of texts) await post(service, '/v1/analyze', text);
  };
  await Promise.all(Array.from({ length: connections }, send));
}

async function inBatches(service: Service, count: number): Promise<void> {
  const items = newTexts(count);
  for (let at = 0; at < items.length; at += BATCH_ITEMS) {
    await post(service, '/v1/analyze/batch', { items: items.slice(at, at + BATCH_ITEMS) });
  }
}

/** Short comments that no cache knows. */
function newTexts(count: number): { content: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    content: `Comment ${index} (${randomUUID().slice(0, 8)}): we walked along the river and had lunch near the bridge.`,
  }));
}

/** @throws OperatorError where not all was judged */
async function post({ url, key }: Service, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new OperatorError(`${url} does not answer. Start the service, or give its address with --url.`, {
      cause: error,
    });
  });
  const answer = await response.text();
  if (response.status !== 200 || answer.includes('"problem"'))
    throw new OperatorError(`A text was not judged: ${response.status} ${answer}`);
}
