/** Sends what waits: at most a few at a time, each by one server, as soon as something new is there and whenever an attempt is due. */
import { OperatorError } from '../errors.js';
import { sendWebhook, type SendOptions } from './send-webhook.js';
import type { Webhooks } from './webhook-repository.js';

export interface Deliveries {
  /** Looks now, and resolves when nothing is due. Never rejects. */
  run(): Promise<void>;
  /** Looks every so often until it is stopped. */
  start(): void;
  /** Waits for attempts that are under way. */
  stop(): Promise<void>;
}

export interface DeliveriesDeps extends Partial<SendOptions> {
  readonly webhooks: Pick<Webhooks, 'takeDue' | 'succeeded' | 'failed'>;
  /** Why the queue cannot be read or written; for the log. */
  readonly onProblem: (problem: string) => void;
}

const EVERY_MS = 5000;
const AT_A_TIME = 8;

export function createDeliveries({ webhooks, onProblem, ...options }: DeliveriesDeps): Deliveries {
  const { networks = [], now = () => new Date(), ...sending } = options;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function sendAll(): Promise<void> {
    while (!isStopped) {
      const due = await webhooks.takeDue(AT_A_TIME);
      if (due.length === 0) return;
      await Promise.all(
        due.map(async (delivery) => {
          const failure = await sendWebhook(delivery, { ...sending, networks, now });
          if (failure === undefined) await webhooks.succeeded(delivery.id);
          else await webhooks.failed(delivery.id, failure.problem, failure.isGone);
        }),
      );
    }
  }

  function run(): Promise<void> {
    running ??= sendAll()
      .catch((error: unknown) => onProblem(error instanceof OperatorError ? error.message : 'it failed'))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    run,
    start() {
      timer = setInterval(() => void run(), EVERY_MS).unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
