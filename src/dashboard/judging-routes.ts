/** The playground, which judges a text without a key, and the overview of what keys had judged. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { answerOf } from '../http/analyze-route.js';
import { ServiceError } from '../errors.js';
import { askerOf } from '../http/give-up-signal.js';
import { requireBody } from '../http/json-body.js';
import type { Analyzer } from '../moderation/analyzer.js';
import type { PolicySettings, VerdictPolicy } from '../moderation/verdict-policy.js';
import type { PoliciesInForce } from '../policies/policies-in-force.js';
import type { PolicyFields } from '../policies/policy-schema.js';
import { resolveFields } from '../policies/resolve-policy.js';
import type { Store } from '../storage/store.js';
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
import { MAX_POLICY_BYTES } from './policy-schemas.js';

export interface JudgingRoutesOptions {
  /** `undefined` until the model is loaded. */
  readonly analyzer: () => Analyzer | undefined;
  readonly store: Store;
  readonly policies: PoliciesInForce;
  readonly settings: PolicySettings;
  readonly answerTimeoutMs: number;
  readonly onProblem: (problem: string) => void;
  readonly now: () => Date;
}

export function registerJudgingRoutes(app: FastifyInstance, options: JudgingRoutesOptions): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.post(
    '/playground',
    {
      preValidation: requireBody,
      // As much as a policy to try may have.
      bodyLimit: MAX_POLICY_BYTES,
      schema: {
        ...changing('Try a text'),
        description:
          'Judges a text as POST /v1/analyze?details=true does, under the settings of the service, the policy of a project or one to try. Enters no statistics.',
        body: playgroundBody,
        response: { 200: playgroundResponse, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async ({ body: { content, projectId, policy: tried } }, reply): Promise<PlaygroundResponse> => {
      const analyzer = options.analyzer();
      if (analyzer === undefined) {
        throw new ServiceError('model_not_ready', 'The model is still loading. Try again.', { retryAfterSeconds: 1 });
      }
      const policy = (await policyOf(options, projectId, tried)) ?? analyzer.policy;
      const asker = { ...askerOf(reply, options.answerTimeoutMs), policy, spans: true };
      const analysis = await analyzer.analyze(content, asker);
      const normalised = normalise(content);
      return {
        analysis: answerOf(analysis, reply, analyzer.model),
        thresholds: analyzer.thresholdsUnder(policy),
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
      answering(async () => {
        const { statistics, keys } = options.store;
        return overviewOf(await statistics.current(), await keys.list(), query.span, options.now());
      }, options.onProblem),
  );
}

/** The one to try before that of the project; undefined where neither is named. */
async function policyOf(
  { store, policies, settings, onProblem }: JudgingRoutesOptions,
  projectId: string | undefined,
  tried: PolicyFields | undefined,
): Promise<VerdictPolicy | undefined> {
  if (tried !== undefined) return resolveFields(settings, tried);
  if (projectId === undefined) return undefined;
  await answering(() => store.policies.get(projectId), onProblem, 'policies_unavailable');
  return policies.of(projectId);
}
