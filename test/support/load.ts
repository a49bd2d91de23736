/** Clients that ask for verdicts again and again, each over a connection that it keeps, and an account of every request. */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

/** Times are those of `performance.now()`. */
export interface Asked {
  readonly key: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** As in `200` or `401 unauthorized`; `503` where no copy answered and the balancer did; or what broke the connection. */
  readonly outcome: string;
}

export interface Load {
  /** All that was answered so far. */
  readonly asked: readonly Asked[];
  /** Resolves once this many more were answered. */
  further(count: number): Promise<void>;
  /** @returns all, once every request is answered */
  stop(): Promise<readonly Asked[]>;
}

interface LoadOptions {
  readonly address: string;
  /** Of each client. */
  readonly keys: readonly string[];
}

/** Who is refused does not ask again at once. */
const PAUSE_MS = 50;

let texts = 0;

export function startLoad({ address, keys }: LoadOptions): Load {
  const asked: Asked[] = [];
  const waiting = new Set<() => void>();
  let stopped = false;
  const note = (one: Asked): void => {
    asked.push(one);
    for (const look of waiting) look();
  };
  const clients = keys.map(async (key) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stopped) {
      const startedAtMs = performance.now();
      const outcome = await outcomeOf({ address, key, agent });
      note({ key, startedAtMs, endedAtMs: performance.now(), outcome });
      if (outcome !== '200') await setTimeout(PAUSE_MS);
    }
    agent.destroy();
  });
  return {
    asked,
    further(count) {
      const target = asked.length + count;
      return new Promise((resolve) => {
        const look = (): void => {
          if (asked.length < target) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    async stop() {
      stopped = true;
      await Promise.all(clients);
      return asked;
    },
  };
}

interface Target {
  readonly address: string;
  readonly key: string;
  readonly agent?: Agent;
}

/** Asks for the verdict on a text that is new. */
export async function outcomeOf({ address, key, agent }: Target): Promise<string> {
  texts += 1;
  const body = JSON.stringify({ content: `Text number ${texts}.` });
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  try {
    return await new Promise<string>((resolve, reject) => {
      request(`${address}/v1/analyze`, { method: 'POST', headers, agent }, (response) => {
        text(response).then((answer) => {
          const { code } = JSON.parse(answer) as { code?: string };
          resolve([response.statusCode, code].filter((part) => part !== undefined).join(' '));
        }, reject);
      })
        .on('error', reject)
        .end(body);
    });
  } catch (error) {
    return `no answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** How often each outcome was, most frequent first. */
export function counted(asked: readonly Asked[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { outcome } of asked) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}
