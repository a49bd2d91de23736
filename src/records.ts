/** Wires what is kept of decisions and what comes of it: captured beside verdicts, reviewed, told to webhooks, and deleted in time. */
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { Config } from './config/config.js';
import { createCapture, type Capture } from './decisions/capture.js';
import { createDecisionRepository, type DecisionRepository } from './decisions/decision-repository.js';
import { createRetention } from './decisions/retention.js';
import { createTextCipher, type TextCipher } from './decisions/text-cipher.js';
import { registerDecisionMetrics } from './http/observability/decision-metrics.js';
import { createLabels, type Labels } from './labelling/labels.js';
import type { PoliciesInForce } from './policies/policies-in-force.js';
import { reviewOf } from './reviews/review-of.js';
import { outcomeEventOf } from './reviews/review-outcome.js';
import { createReviews, type Reviews } from './reviews/review-repository.js';
import type { SqlDatabase } from './storage/sql/sql-database.js';
import { createDeliveries } from './webhooks/deliveries.js';
import { createWebhooks, type Webhooks } from './webhooks/webhook-repository.js';

export interface Records {
  readonly decisions: DecisionRepository;
  readonly reviews: Reviews;
  readonly labels: Labels;
  readonly webhooks: Webhooks;
  /** Undefined where there is no key: no text is kept. */
  readonly cipher: TextCipher | undefined;
  readonly capture: Capture;
  /** Begins what goes on by itself: deliveries and deletion. */
  start(): void;
  /** Ends that. Decisions are still taken. */
  stop(): Promise<void>;
}

export interface RecordsDeps {
  readonly sql: SqlDatabase;
  readonly config: Pick<Config, 'decisionKeys' | 'webhookNetworks'>;
  readonly policies: PoliciesInForce;
  readonly registry: Registry;
  readonly log: () => FastifyBaseLogger;
  readonly now?: (() => Date) | undefined;
}

const RETENTION_MS = 60_000;

export function createRecords({ sql, config, policies, registry, log, now }: RecordsDeps): Records {
  const webhooks = createWebhooks(sql, now);
  const reviews = createReviews({
    database: sql,
    now,
    onReviewed: (ask, review) => webhooks.enqueue(ask, review.projectId, outcomeEventOf(review)),
    secondReviewsOf: async (projectId) => (await policies.of(projectId)).review?.secondReviews ?? 0,
  });
  const deliveries = createDeliveries({
    webhooks,
    networks: config.webhookNetworks,
    onProblem: (problem) => log().warn({ problem }, 'webhooks wait'),
  });
  const decisions = createDecisionRepository(sql);
  const cipher = createTextCipher(config.decisionKeys);
  const labels = createLabels(sql, cipher, now);
  const capture = createCapture({
    decisions,
    cipher,
    reviewOf,
    onLost: registerDecisionMetrics(registry),
    onProblem: (problem) => {
      if (problem === undefined) log().info('decisions are kept again');
      else log().warn({ problem }, 'decisions wait in memory, and are lost once that is full');
    },
  });
  const retention = createRetention({
    decisions,
    labels,
    policyOf: policies.of,
    onProblem: (problem) => log().warn({ problem }, 'decisions are not deleted in time'),
  });
  let timer: NodeJS.Timeout | undefined;

  return {
    decisions,
    reviews,
    labels,
    webhooks,
    cipher,
    capture,
    start() {
      deliveries.start();
      timer = setInterval(() => {
        // A folder in which nothing was ever kept gets no database for it.
        if (sql.exists()) void retention.run();
      }, RETENTION_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      retention.stop();
      await deliveries.stop();
    },
  };
}
