/** The playground, which judges a text without a key. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { answerOf } from '../../http/routes/analyze-route.js';
import type { VerdictPolicy } from '../../moderation/verdict-policy.js';
import type { PolicyFields } from '../../policies/policy-schema.js';
import { resolveFields } from '../../policies/resolve-policy.js';
import { type AdminContext, changing, may } from './admin-context.js';
import { playgroundBody, playgroundResponse, type PlaygroundResponse } from './admin-schemas.js';
import { MAX_POLICY_BYTES } from './policy-schemas.js';
import { problems } from '../../http/routes/schemas.js';

export function registerJudgingRoutes(app: FastifyInstance, context: AdminContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.post(
    '/playground',
    {
      // As much as a policy to try may have.
      bodyLimit: MAX_POLICY_BYTES,
      config: may('reviewer'),
      schema: {
        ...changing('Try a text'),
        description:
          'Judges a text as POST /v1/analyze?details=true does, under the settings of the service, the policy of a project or one to try. Enters no statistics.',
        body: playgroundBody,
        response: { 200: playgroundResponse, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async ({ body: { content, projectId, policy: tried } }, reply): Promise<PlaygroundResponse> => {
      const analyzer = context.readyAnalyzer();
      const policy = (await policyOf(context, projectId, tried)) ?? analyzer.policy;
      const analysis = await analyzer.analyze(content, await context.callerOf(reply, { policy, spans: true }));
      const normalised = await context.reading.normalise(content);
      const { language } = analysis.probabilities;
      return {
        analysis: answerOf(analysis, reply, analyzer.model),
        thresholds: analyzer.thresholdsUnder(policy),
        languageFigures: (language && analyzer.figuresOf(language.tag)) ?? null,
        normalised: normalised === content ? null : normalised,
      };
    },
  );
}

/** The one to try before that of the project; undefined where neither is named. */
async function policyOf(
  { store, policies, settings, askingPolicies }: AdminContext,
  projectId: string | undefined,
  tried: PolicyFields | undefined,
): Promise<VerdictPolicy | undefined> {
  if (tried !== undefined) return resolveFields(settings, tried);
  if (projectId === undefined) return undefined;
  await askingPolicies(() => store.policies.get(projectId));
  return policies.of(projectId);
}
