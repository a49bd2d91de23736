/** Policies of projects over HTTP: show, change, restore, preview, and check a list of terms. Decides nothing about a text. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { Answer, ZodTypeProvider } from '../../http/body/validation.js';
import { LABELS } from '../../labels.js';
import type { Analyzer } from '../../moderation/analyzer.js';
import { CATEGORY_OF_LABEL } from '../../moderation/categories.js';
import type { VerdictPolicy } from '../../moderation/verdict-policy.js';
import { OWNER } from '../../people/roles.js';
import { nextTurn } from '../../threads/next-turn.js';
import { PRESET_NAMES, type PolicyFields } from '../../policies/policy-schema.js';
import type { PolicyHistory, StoredPolicy } from '../../policies/policy-repository.js';
import { PRESETS } from '../../policies/presets.js';
import type { PreviewText } from '../../policies/preview-texts.js';
import { previewPolicy } from '../../policies/preview.js';
import { resolveFields, resolvePolicy } from '../../policies/resolve-policy.js';
import { type AdminContext, changing, reading, may } from './admin-context.js';
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
  termsBody,
  termsResponse,
  type HistoryResponse,
  type PolicyResponse,
  type PresetsResponse,
  type PreviewResponse,
} from './policy-schemas.js';
import { problems } from '../../http/routes/schemas.js';
import { DAY_MS } from '../../durations.js';

/** So that a preview leaves workers for the texts of those who wait. */
export const PREVIEW_CONCURRENCY = 2;

export function registerPolicyRoutes(app: FastifyInstance, context: AdminContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const { store, settings, askingPolicies } = context;
  const canKeepTexts = context.cipher !== undefined;
  const onTheWire = async (stored: StoredPolicy): Promise<PolicyResponse> => {
    // To read 20,000 terms and to write them take some 20 ms each: others are answered in between.
    await nextTurn();
    const withoutTerms = { ...stored.policy, blockedTerms: [], ignoredTerms: [] };
    return { ...stored, resolved: resolvedOf(resolveFields(settings, withoutTerms)) };
  };

  async function keptTexts(projectId: string, days: number) {
    const { decisions, cipher, now, askingRecords } = context;
    const since = now().getTime() - days * DAY_MS;
    const sample = await askingRecords(() => decisions.sample(projectId, since, MOST_PREVIEW_TEXTS));
    const texts: PreviewText[] = [];
    for (const { id, content } of sample.decisions) {
      // To open so many takes a millisecond.
      if (texts.length % 50 === 49) await nextTurn();
      const text = content && cipher?.open(content, id);
      if (text !== undefined) texts.push({ row: texts.length + 1, text, decisionId: id });
    }
    return { texts, decisions: sample.of };
  }

  typed.get(
    '/policy-presets',
    {
      config: may('viewer'),
      schema: { ...reading('List presets of policies'), response: { 200: presetsResponse, ...problems(401) } },
    },
    (_request, reply) => {
      const presets: PresetsResponse['presets'] = PRESET_NAMES.map((name) => ({
        name,
        policy: { ...PRESETS[name] },
        resolved: resolvedOf(resolvePolicy(settings, name, {})),
      }));
      void reply.send({ presets, categories: categoriesOf(context.analyzer()) });
    },
  );

  typed.get(
    '/projects/:id/policy',
    {
      config: may('viewer'),
      schema: {
        ...reading('Show the policy of a project'),
        params: idParams,
        response: { 200: policyResponse, ...problems(401, 404, 503) },
      },
    },
    ({ params }) => askingPolicies(async () => onTheWire(await store.policies.get(params.id))),
  );

  typed.put(
    '/projects/:id/policy',
    {
      bodyLimit: MAX_POLICY_BYTES,
      config: may('editor', 'policy.change'),
      schema: {
        ...changing('Change the policy of a project'),
        description:
          'It holds in every running server from the first request that starts after the answer. An edit of an older version is refused: `errors` of the answer names each field that changed since, when and by whom.',
        params: idParams,
        body: policyBody,
        response: { 200: policyResponse, ...problems(400, 401, 403, 404, 409, 413, 415, 503) },
      },
    },
    (request) =>
      askingPolicies(async () => {
        const { params, body } = request;
        const change = { by: editorIn(request), base: body.baseVersion, canKeepTexts };
        const stored = await store.policies.edit(params.id, () => body.policy, change);
        request.audited = { details: { version: stored.version } };
        return onTheWire(stored);
      }),
  );

  typed.get(
    '/projects/:id/policy/history',
    {
      config: may('viewer'),
      schema: {
        ...reading('List the versions of a policy'),
        params: idParams,
        response: { 200: historyResponse, ...problems(401, 404, 503) },
      },
    },
    ({ params }) => askingPolicies(async () => historyOf(await store.policies.history(params.id))),
  );

  typed.post(
    '/projects/:id/policy/restore',
    {
      config: may('editor', 'policy.restore'),
      schema: {
        ...changing('Restore an earlier version of a policy'),
        description: 'As a new version. Version 0 is no policy at all: the settings of the service apply.',
        params: idParams,
        body: restoreBody,
        response: { 200: policyResponse, ...problems(400, 401, 403, 404, 409, 413, 415, 503) },
      },
    },
    (request) =>
      askingPolicies(async () => {
        const { version, baseVersion } = request.body;
        const change = { by: editorIn(request), base: baseVersion, canKeepTexts };
        const stored = await store.policies.restore(request.params.id, version, change);
        request.audited = { details: { version: stored.version, restored: version } };
        return onTheWire(stored);
      }),
  );

  typed.post(
    '/projects/:id/policy/preview',
    {
      bodyLimit: MAX_PREVIEW_BYTES,
      config: may('reviewer'),
      schema: {
        ...changing('Preview a policy'),
        description: `Judges up to ${MOST_PREVIEW_TEXTS} texts and says what the policy would change against the one in force. Stores nothing, enters no statistics.`,
        params: idParams,
        body: previewBody,
        response: { 200: previewResponse, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async ({ params, body }, reply): Promise<PreviewResponse> => {
      const analyzer = context.readyAnalyzer();
      const before = await askingPolicies(async () => {
        await store.policies.get(params.id);
        return context.policies.of(params.id);
      });
      const { lines, csv, textColumn, keptDays } = body;
      const { texts, decisions } =
        keptDays === undefined
          ? { texts: await context.reading.previewTexts({ lines, csv, textColumn }), decisions: null }
          : await keptTexts(params.id, keptDays);
      const source = csv === undefined ? 'lines' : 'csv';
      assertFew(texts, keptDays === undefined ? source : 'keptDays', 'preview');
      const { changed, ...counts } = await previewPolicy({
        analyzer,
        texts,
        before,
        after: resolveFields(settings, body.policy),
        caller: await context.callerOf(reply),
        concurrency: PREVIEW_CONCURRENCY,
      });
      return { ...counts, decisions, changed: changed.slice(0, MOST_CHANGED_SHOWN) };
    },
  );

  typed.post(
    '/policy-terms',
    {
      bodyLimit: MAX_POLICY_BYTES,
      config: may('reviewer'),
      schema: {
        ...changing('Check a list of terms'),
        description: 'One a line, "#" before a comment. Says which lines can be left out. Stores nothing.',
        body: termsBody,
        response: { 200: termsResponse, ...problems(400, 401, 403, 413, 415) },
      },
    },
    ({ body }) => context.reading.checkTerms(body.text),
  );
}

/** The owner is called so that earlier releases can read it. */
function editorIn({ adminSession }: Pick<FastifyRequest, 'adminSession'>): string {
  const { id, name } = adminSession?.actor ?? OWNER;
  return id === OWNER.id ? 'dashboard' : name;
}

function categoriesOf(analyzer: Analyzer | undefined): PresetsResponse['categories'] {
  const thresholds = analyzer?.thresholdsUnder(analyzer.policy) ?? {};
  return LABELS.map((label) => ({
    name: CATEGORY_OF_LABEL[label],
    label,
    threshold: thresholds[label] ?? null,
  }));
}

const NO_TEXT = new Map([
  ['labels', 'The project has no label whose text can be read.'],
  ['keptDays', 'No text of these days is kept that can be read.'],
]);

/** @param path member of the body that holds or names the texts @param command that takes more */
export function assertFew({ length }: readonly unknown[], path: string, command: 'fit' | 'preview'): void {
  if (length > 0 && length <= MOST_PREVIEW_TEXTS) return;
  const detail =
    length === 0
      ? (NO_TEXT.get(path) ?? 'There is no text in it.')
      : `There are ${length} texts in it, and ${MOST_PREVIEW_TEXTS} at most can be ${command === 'fit' ? 'judged' : 'previewed'} here. The command "npx parapet policies ${command}" takes more.`;
  throw new ServiceError('invalid_body', detail, { errors: [{ path, message: detail }] });
}

/** The lists of terms are in the policy itself: they are not told twice. */
function resolvedOf({ passMaxScore, categories, unreadable }: VerdictPolicy): PolicyResponse['resolved'] {
  return { passMaxScore, categories, unreadable };
}

function historyOf({ versions, oldest }: PolicyHistory): Answer<HistoryResponse> {
  const told = versions.map(({ changed, policy, ...stamp }) => {
    const { blockedTerms = [], ignoredTerms = [], ...fields }: PolicyFields = policy;
    return {
      ...stamp,
      changed: changed ?? null,
      policy: fields,
      blockedTerms: blockedTerms.length,
      ignoredTerms: ignoredTerms.length,
    };
  });
  return { versions: told, oldest };
}
