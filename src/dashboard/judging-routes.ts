/** The playground, which judges a text without a key, and the overview of what keys had judged. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { answerOf } from '../http/analyze-route.js';
import { ServiceError } from '../errors.js';
import { askerOf } from '../http/give-up-signal.js';
import { requireBody } from '../http/json-body.js';
import type { KeyStore } from '../keys/key-store.js';
import type { Label } from '../labels.js';
import type { Analyzer } from '../moderation/analyzer.js';
import { normalise } from '../text/normalise.js';
import { answering, changing, problems, reading } from './admin-route.js';
import {
  overviewQuery,
  overviewResponse,
  playgroundBody,
  playgroundResponse,
  type PlaygroundResponse,
} from './admin-schemas.js';
import { overviewOf } from './overview.js';
import type { Statistics } from './statistics-record.js';

export interface JudgingRoutesOptions {
  /** `undefined` until the model is loaded. */
  readonly analyzer: () => Analyzer | undefined;
  readonly thresholds: () => Readonly<Partial<Record<Label, number>>>;
  readonly answerTimeoutMs: number;
  readonly keys: KeyStore;
  readonly statistics: () => Statistics;
  readonly onProblem: (problem: string) => void;
  readonly now: () => Date;
}

export function registerJudgingRoutes(app: FastifyInstance, options: JudgingRoutesOptions): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.post(
    '/playground',
    {
      preValidation: requireBody,
      schema: {
        ...changing('Try a text'),
        description: 'Judges a text as POST /v1/analyze?details=true does. Enters no statistics.',
        body: playgroundBody,
        response: { 200: playgroundResponse, ...problems(400, 401, 403, 413, 415, 503) },
      },
    },
    async ({ body: { content } }, reply): Promise<PlaygroundResponse> => {
      const analyzer = options.analyzer();
      if (analyzer === undefined) {
        throw new ServiceError('model_not_ready', 'The model is still loading. Try again.', { retryAfterSeconds: 1 });
      }
      const analysis = await analyzer.analyze(content, askerOf(reply, options.answerTimeoutMs));
      const normalised = normalise(content);
      return {
        analysis: answerOf(analysis, reply, analyzer.model),
        thresholds: { ...options.thresholds() },
        normalised: normalised === content ? null : normalised,
      };
    },
  );

  typed.get(
    '/overview',
    {
      schema: {
        ...reading('Sum up what was judged'),
        querystring: overviewQuery,
        response: { 200: overviewResponse, ...problems(400, 401, 503) },
      },
    },
    ({ query }) =>
      answering(
        () => overviewOf(options.statistics(), options.keys.list(), query.span, options.now()),
        options.onProblem,
      ),
  );
}
