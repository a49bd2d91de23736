/** What one project may do to another: with all that one can send, the short texts of the other are answered, and soon. */
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { median, percentile } from '../../benchmarks/load/figures/percentiles.js';
import { createRandom, type Random } from '../../benchmarks/robustness/random.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { createKey, outcomeOf, post, startService, type ReadyService } from '../support/service.js';
import { harmlessText } from '../support/texts.js';
import { SEED, sized, TIME_LIMIT_MS } from './scale.js';

/** Enough for a percentile of 99. */
const TEXTS = sized({ short: 110, long: 1_500 });
/** How long it may take until the flood is at its height. */
const BEGINNING_MS = 500;
const TEXTS_PER_SECOND = 50;
/** About a full window of tokens. */
const WINDOW_CHARACTERS = 500;
const WINDOWS_TO_WAIT = 3;
/** The flood's own client takes the cores that the service runs on; more so where tests of other files run beside it. */
const SLACK_MS = sized({ short: 250, long: 60 });

const LISTS = 12;
const TERMS = 10_000;
const WORDS_OF_A_TERM = 12;
const MS_BETWEEN_TEXTS_OF_A_LIST = 500;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SIGNS = 'a1b3c4d0e5$@! ';

function randomText(random: Random, characters: number, alphabet: string): string {
  return Array.from({ length: characters }, () => alphabet.charAt(random.below(alphabet.length))).join('');
}

function madeUpTerm(random: Random): string {
  return Array.from({ length: WORDS_OF_A_TERM }, () => randomText(random, 4 + random.below(4), LETTERS)).join(' ');
}

interface Flood {
  readonly connections: number;
  /** Instead of waiting for answers: so many a second, each on a connection that closes, unread, this long after. */
  readonly openLoop?: { readonly perSecond: number; readonly closedAfterMs: number };
  readonly path?: string;
  /** @param number no two are equal */
  readonly bodyOf: (number: number, random: Random) => object;
}

const FLOODS: Readonly<Record<string, Flood>> = {
  'long texts': { connections: 160, bodyOf: (number) => ({ content: harmlessText(9_900, `${number} `) }) },
  'short texts': { connections: 160, bodyOf: (number) => ({ content: harmlessText(60, `${number} `) }) },
  'long texts whose answers nobody waits for': {
    connections: 1,
    openLoop: { perSecond: 100, closedAfterMs: 100 },
    bodyOf: (number) => ({ content: harmlessText(9_900, `${number} `) }),
  },
  'random letters': { connections: 64, bodyOf: (_, random) => ({ content: randomText(random, 9_900, LETTERS) }) },
  'letters like signs': { connections: 64, bodyOf: (_, random) => ({ content: randomText(random, 9_900, SIGNS) }) },
  batches: {
    connections: 32,
    path: '/batch',
    bodyOf: (number) => ({
      items: Array.from({ length: 64 }, (_, index) => ({ content: harmlessText(120, `${number} ${index} `) })),
    }),
  },
};

/** Sends on each connection the next as soon as the last is answered, refused or not, or at its own pace, until told to stop. */
function beginFlood(service: ReadyService, key: string, { connections, openLoop, path = '', bodyOf }: Flood) {
  const random = createRandom(SEED);
  const controller = new AbortController();
  let sent = 0;
  const clients = Array.from({ length: connections }, async () => {
    while (!controller.signal.aborted) {
      sent += 1;
      const body = JSON.stringify(bodyOf(sent, random));
      const request = {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body,
        signal: openLoop === undefined ? controller.signal : AbortSignal.timeout(openLoop.closedAfterMs),
      };
      const answered = fetch(`${service.address}/v1/analyze${path}`, request)
        .then((response) => response.arrayBuffer())
        .catch(() => undefined);
      await (openLoop === undefined ? answered : setTimeout(1000 / openLoop.perSecond));
    }
  });
  return async (): Promise<number> => {
    controller.abort();
    await Promise.all(clients);
    return sent;
  };
}

let asked = 0;

async function ask(service: ReadyService, characters: number): Promise<{ outcome: string; tookMs: number }> {
  asked += 1;
  const begun = performance.now();
  const outcome = await outcomeOf(await post(service, harmlessText(characters, `I ask for the ${asked}th time.`)));
  return { outcome, tookMs: performance.now() - begun };
}

/** Short texts at their own pace, whether or not answers come. */
async function askSteadily(service: ReadyService): Promise<{ outcomes: string[]; p99Ms: number }> {
  const answers: ReturnType<typeof ask>[] = [];
  while (answers.length < TEXTS) {
    answers.push(ask(service, 60));
    await setTimeout(1000 / TEXTS_PER_SECOND);
  }
  const given = await Promise.all(answers);
  const took = Float64Array.from(given.map(({ tookMs }) => tookMs)).sort();
  return { outcomes: given.map(({ outcome }) => outcome), p99Ms: percentile(took, 0.99) ?? Number.NaN };
}

async function windowMs(service: ReadyService): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < 7; count += 1) took.push((await ask(service, WINDOW_CHARACTERS)).tookMs);
  return median(took) ?? Number.NaN;
}

describe('a project that floods the service', () => {
  let service: ReadyService;
  let key: string;
  let window: number;
  let alone: Awaited<ReturnType<typeof askSteadily>>;

  beforeAll(async () => {
    service = await startService(
      { RATE_LIMIT_PER_MINUTE: '0', INFERENCE_THREADS: String(availableParallelism()) },
      (clean) => cleanUp.push(clean),
    );
    ({ key } = await createKey(service.keysFile, { project: 'flood' }));
    window = await windowMs(service);
    alone = await askSteadily(service);
  }, TIME_LIMIT_MS);

  const cleanUp: (() => unknown)[] = [];
  afterAll(async () => {
    for (const clean of cleanUp.reverse()) await clean();
  });

  it.each(Object.keys(FLOODS))(
    'with %s leaves another’s short texts all answered, within three windows of what they take alone',
    async (name) => {
      const flood = FLOODS[name];
      if (flood === undefined) throw new Error(`no flood is called ${name}`);
      const end = beginFlood(service, key, flood);
      await setTimeout(BEGINNING_MS);
      const beside = await askSteadily(service);
      const sent = await end();
      const mostMs = alone.p99Ms + WINDOWS_TO_WAIT * window;
      console.log(
        `${sent} requests of the flood begun; short texts beside it: p99 ${beside.p99Ms.toFixed(0)} ms, alone ${alone.p99Ms.toFixed(0)} ms; a window takes ${window.toFixed(0)} ms: ${mostMs.toFixed(0)} ms are promised`,
      );
      expect(new Set(beside.outcomes)).toEqual(new Set(['200']));
      expect(beside.p99Ms).toBeLessThan(mostMs + SLACK_MS);
    },
    TIME_LIMIT_MS,
  );

  it(
    'with twelve lists of 10,000 terms of twelve words leaves them so, while the lists are compiled and after',
    async () => {
      const random = createRandom(SEED);
      const { policies, projects } = openFileStore(service.keysFile);
      const keys = await Promise.all(
        Array.from(
          { length: LISTS },
          async (_, index) => (await createKey(service.keysFile, { project: `terms ${index}` })).key,
        ),
      );
      for (const { id, name } of await projects.list()) {
        if (!name.startsWith('terms')) continue;
        const blocked = Array.from({ length: TERMS }, () => madeUpTerm(random));
        await policies.edit(id, () => ({ blockedTerms: blocked }), { by: 'command line' });
      }
      // The file of policies, which all of them share, is read with the first text after an edit.
      await ask(service, 60);
      const answers: Promise<string>[] = [];
      const timer = setInterval(() => {
        for (const each of keys) {
          const content = harmlessText(60, `${answers.length} `);
          answers.push(post({ ...service, key: each }, content).then(outcomeOf));
        }
      }, MS_BETWEEN_TEXTS_OF_A_LIST);
      const compiling = await askSteadily(service);
      const beside = await askSteadily(service);
      clearInterval(timer);
      const ofLists = new Set(await Promise.all(answers));
      const mostMs = alone.p99Ms + WINDOWS_TO_WAIT * window;
      console.log(
        `short texts beside ${LISTS} lists: p99 ${compiling.p99Ms.toFixed(0)} and ${beside.p99Ms.toFixed(0)} ms, alone ${alone.p99Ms.toFixed(0)} ms; ${mostMs.toFixed(0)} ms are promised`,
      );
      expect(new Set([...compiling.outcomes, ...beside.outcomes])).toEqual(new Set(['200']));
      expect(Math.max(compiling.p99Ms, beside.p99Ms)).toBeLessThan(mostMs + SLACK_MS);
      expect(ofLists).toEqual(new Set(['200']));
    },
    TIME_LIMIT_MS,
  );
});
