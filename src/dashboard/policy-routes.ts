/** Policies of projects over HTTP: show, change, restore, preview. Decides nothing about a text. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { ServiceError } from '../errors.js';
import { askerOf } from '../http/give-up-signal.js';
import { requireBody } from '../http/json-body.js';
import { LABELS } from '../labels.js';
import type { Analyzer } from '../moderation/analyzer.js';
import { CATEGORY_OF_LABEL } from '../moderation/categories.js';
import type { PolicySettings, VerdictPolicy } from '../moderation/verdict-policy.js';
import type { PoliciesInForce } from '../policies/policies-in-force.js';
import { PRESET_NAMES, type PolicyFields } from '../policies/policy-schema.js';
import type { PolicyHistory, StoredPolicy } from '../policies/policy-repository.js';
import { PRESETS } from '../policies/presets.js';
import { textsInCsv, textsInLines, type PreviewText } from '../policies/preview-texts.js';
import { previewPolicy, type PreviewOutcome } from '../policies/preview.js';
import { resolveFields, resolvePolicy } from '../policies/resolve-policy.js';
import type { Store } from '../storage/store.js';
import { answering, changing, problems, reading } from './admin-route.js';
import { idParams } from './admin-schemas.js';
import {
  historyResponse,
  MAX_POLICY_BYTES,
  MAX_PREVIEW_BYTES,
  MOST_CHANGED_SHOWN,
  MOST_PREVIEW_TEXTS,
  policyBody,
  policyResponse,
  presetsResponse,
  previewBody,
  previewResponse,
  restoreBody,
  type HistoryResponse,
  type PolicyResponse,
  type PresetsResponse,
  type PreviewResponse,
} from './policy-schemas.js';

export interface PolicyRoutesOptions {
  readonly store: Pick<Store, 'policies'>;
  readonly policies: PoliciesInForce;
  readonly settings: PolicySettings;
  /** `undefined` until the model is loaded. */
  readonly analyzer: () => Analyzer | undefined;
  readonly answerTimeoutMs: number;
  readonly onProblem: (problem: string) => void;
}

/** So that a preview leaves workers for the texts of those who wait. */
export const PREVIEW_CONCURRENCY = 2;

export function registerPolicyRoutes(app: FastifyInstance, options: PolicyRoutesOptions): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const { store, settings } = options;
  const asking = <Result>(work: () => Promise<Result> | Result): Promise<Result> =>
    answering(work, options.onProblem, 'policies_unavailable');
  const onTheWire = (stored: StoredPolicy): PolicyResponse => ({
    ...stored,
    resolved: resolvedOf(resolveFields(settings, stored.policy)),
  });

  typed.get(
    '/policy-presets',
    { schema: { ...reading('List presets of policies'), response: { 200: presetsResponse, ...problems(401) } } },
    (_request, reply) => {
      const presets: PresetsResponse['presets'] = PRESET_NAMES.map((name) => ({
        name,
        policy: { ...PRESETS[name] },
        resolved: resolvedOf(resolvePolicy(settings, name, {})),
      }));
      void reply.send({ presets, categories: categoriesOf(options.analyzer()) });
    },
  );

  typed.get(
    '/projects/:id/policy',
    {
      schema: {
        ...reading('Show the policy of a project'),
        params: idParams,
        response: { 200: policyResponse, ...problems(401, 404, 503) },
      },
    },
    ({ params }) => asking(async () => onTheWire(await store.policies.get(params.id))),
  );

  typed.put(
    '/projects/:id/policy',
    {
      preValidation: requireBody,
      bodyLimit: MAX_POLICY_BYTES,
      schema: {
        ...changing('Change the policy of a project'),
        description:
          'It holds in every running server from the first request that starts after the answer. An edit of an older version is refused: `errors` of the answer names each field that changed since, when and by whom.',
        params: idParams,
        body: policyBody,
        response: { 200: policyResponse, ...problems(400, 401, 403, 404, 409, 413, 415, 503) },
      },
    },
    ({ params, body }) =>
      asking(async () => {
        const edit = { by: 'dashboard', base: body.baseVersion } as const;
        return onTheWire(await store.policies.edit(params.id, () => body.policy, edit));
      }),
  );

  typed.get(
    '/projects/:id/policy/history',
    {
      schema: {
        ...reading('List the versions of a policy'),
        params: idParams,
        response: { 200: historyResponse, ...problems(401, 404, 503) },
      },
    },
    ({ params }) => asking(async () => historyOf(await store.policies.history(params.id))),
  );

  typed.post(
    '/projects/:id/policy/restore',
    {
      preValidation: requireBody,
      schema: {
        ...changing('Restore an earlier version of a policy'),
        description: 'As a new version. Version 0 is no policy at all: the settings of the service apply.',
        params: idParams,
        body: restoreBody,
        response: { 200: policyResponse, ...problems(400, 401, 403, 404, 409, 413, 415, 503) },
      },
    },
    ({ params, body: { version, baseVersion } }) =>
      asking(async () =>
        onTheWire(await store.policies.restore(params.id, version, { by: 'dashboard', base: baseVersion })),
      ),
  );

  typed.post(
    '/projects/:id/policy/preview',
    {
      preValidation: requireBody,
      bodyLimit: MAX_PREVIEW_BYTES,
      schema: {
        ...changing('Preview a policy'),
        description: `Judges up to ${MOST_PREVIEW_TEXTS} texts and says what the policy would change against the one in force. Stores nothing, enters no statistics.`,
        params: idParams,
        body: previewBody,
        response: { 200: previewResponse, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async ({ params, body }, reply): Promise<PreviewResponse> => {
      const analyzer = readyAnalyzer(options.analyzer());
      const [before, texts] = await asking(async () => {
        await store.policies.get(params.id);
        return [options.policies.of(params.id), textsOf(body)] as const;
      });
      const { changed, ...counts } = await previewPolicy({
        analyzer,
        texts,
        before,
        after: resolveFields(settings, body.policy),
        asker: askerOf(reply, options.answerTimeoutMs),
        concurrency: PREVIEW_CONCURRENCY,
      });
      const shown = changed.slice(0, MOST_CHANGED_SHOWN);
      return {
        ...counts,
        changed: shown.map((each) => ({ ...each, before: outcomeOf(each.before), after: outcomeOf(each.after) })),
      };
    },
  );
}

function categoriesOf(analyzer: Analyzer | undefined): PresetsResponse['categories'] {
  const thresholds = analyzer?.thresholdsUnder(analyzer.policy) ?? {};
  return LABELS.map((label) => ({
    name: CATEGORY_OF_LABEL[label],
    label,
    threshold: thresholds[label] ?? null,
  }));
}

export function readyAnalyzer(analyzer: Analyzer | undefined): Analyzer {
  if (analyzer !== undefined) return analyzer;
  throw new ServiceError('model_not_ready', 'The model is still loading. Try again.', { retryAfterSeconds: 1 });
}

function textsOf({ lines = '', csv, textColumn }: z.output<typeof previewBody>): PreviewText[] {
  const texts = csv === undefined ? textsInLines(lines) : textsInCsv(csv, { textColumn });
  if (texts.length > 0 && texts.length <= MOST_PREVIEW_TEXTS) return texts;
  const detail =
    texts.length === 0
      ? 'There is no text in it.'
      : `There are ${texts.length} texts in it, and ${MOST_PREVIEW_TEXTS} at most can be previewed here. The command "policies -- preview" takes more.`;
  throw new ServiceError('invalid_body', detail, {
    errors: [{ path: csv === undefined ? 'lines' : 'csv', message: detail }],
  });
}

/** The lists of terms are in the policy itself: they are not told twice. */
function resolvedOf({ passMaxScore, categories, unreadable }: VerdictPolicy): PolicyResponse['resolved'] {
  return { passMaxScore, categories, unreadable };
}

function historyOf({ versions, oldest }: PolicyHistory): HistoryResponse {
  const told = versions.map(({ version, at, by, restored, changed, policy }) => {
    const { blockedTerms = [], ignoredTerms = [], ...fields }: PolicyFields = policy;
    return {
      version,
      at,
      by,
      ...(restored !== undefined && { restored }),
      changed: changed === undefined ? null : [...changed],
      policy: fields,
      blockedTerms: blockedTerms.length,
      ignoredTerms: ignoredTerms.length,
    };
  });
  return { versions: told, oldest };
}

/** As the answer has it: lists that may be changed. */
function outcomeOf({ passed, categories, description }: PreviewOutcome): PreviewResponse['changed'][number]['before'] {
  return { passed, categories: [...categories], description };
}
