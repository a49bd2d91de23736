/**
 * The process behind `npm run bench:batch`: the same number of new texts by single requests and by batches over HTTP, against a
 * running service, and how much faster the batches are.
 */
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { parseArgs } from 'node:util';

const ROUNDS = 3;
const BATCH_ITEMS = 128;
const CONNECTIONS = 8;

const { values } = parseArgs({
  options: { url: { type: 'string' }, key: { type: 'string' }, texts: { type: 'string', default: '512' } },
});
const address = values.url ?? 'http://127.0.0.1:3000';
const key = values.key ?? process.env.PARAPET_KEY ?? '';
const count = Number(values.texts);

/** Short comments that no cache knows. */
function newTexts(): { content: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    content: `Comment ${index} (${randomUUID().slice(0, 8)}): we walked along the river and had lunch near the bridge.`,
  }));
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"problem"')) throw new Error(`not judged: ${response.status} ${text}`);
}

async function singly(connections: number): Promise<void> {
  const texts = newTexts().values();
  const send = async (): Promise<void> => {
    for (const text of texts) await post('/v1/analyze', text);
  };
  await Promise.all(Array.from({ length: connections }, send));
}

async function inBatches(): Promise<void> {
  const items = newTexts();
  for (let at = 0; at < items.length; at += BATCH_ITEMS) {
    await post('/v1/analyze/batch', { items: items.slice(at, at + BATCH_ITEMS) });
  }
}

const ways: Record<string, () => Promise<void>> = {
  'single requests, one after another': () => singly(1),
  [`single requests, ${CONNECTIONS} at a time`]: () => singly(CONNECTIONS),
  [`batches of ${Math.min(BATCH_ITEMS, count)}, one after another`]: inBatches,
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
