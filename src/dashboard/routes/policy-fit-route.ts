/** Fits the thresholds of a policy to labelled texts over HTTP. Stores nothing. */
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { LABEL_CATEGORIES, type LabelCategory } from '../../moderation/categories.js';
import { failingCategories, fitThresholds } from '../../policies/fitting/fit-thresholds.js';
import { assertSome, labelColumnsOf, type LabelledText } from '../../policies/fitting/labelled-texts.js';
import { resolveFields } from '../../policies/resolve-policy.js';
import { type AdminContext, changing, may } from './admin-context.js';
import { idParams } from './admin-schemas.js';
import { assertFew, PREVIEW_CONCURRENCY } from './policy-routes.js';
import { MAX_PREVIEW_BYTES, MOST_PREVIEW_TEXTS, fitBody, fitResponse, type FitResponse } from './policy-schemas.js';
import { problems } from '../../http/routes/schemas.js';

export function registerPolicyFitRoute(app: FastifyInstance, context: AdminContext): void {
  const { store, settings, labels, askingRecords } = context;

  async function inCsv(csv: string, body: FitBody, failing: readonly LabelCategory[]) {
    const { textColumn, positive, labelColumn: shared, categories } = body;
    const columns = labelColumnsOf({ own: ownColumns(body.labelColumns), shared, categories }, failing);
    const found = await context.reading.labelledTexts({ csv, textColumn, columns, positive });
    return { ...found, categories: [...columns.keys()] };
  }

  async function labelsOf(projectId: string, body: FitBody, failing: readonly LabelCategory[]) {
    const { categories = failing } = body;
    assertSome(categories);
    const latest = await askingRecords(() => labels.latest(projectId, MOST_PREVIEW_TEXTS));
    const texts = latest.map(({ text, truth, shouldPass }): LabelledText => {
      const told = categories.flatMap((category) => {
        const isSo = truth.get(category);
        return isSo === undefined ? [] : [[category, isSo] as const];
      });
      return { text, truth: new Map(told), ...(shouldPass !== undefined && { shouldFail: !shouldPass }) };
    });
    return { texts, leftOut: 0, categories };
  }

  app.withTypeProvider<ZodTypeProvider>().post(
    '/projects/:id/policy/fit',
    {
      bodyLimit: MAX_PREVIEW_BYTES,
      config: may('editor'),
      schema: {
        ...changing('Fit the thresholds of a policy'),
        description: `Judges up to ${MOST_PREVIEW_TEXTS} labelled texts, of a CSV or those that are kept, and says by category which threshold has at most the wanted share of false alarms, what it finds, and how sure that is. Stores nothing, enters no statistics.`,
        params: idParams,
        body: fitBody,
        response: { 200: fitResponse, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    ({ params, body }, reply): Promise<FitResponse> => {
      const analyzer = context.readyAnalyzer();
      return context.askingPolicies(async () => {
        const stored = await store.policies.get(params.id);
        const fields = body.policy ?? stored.policy;
        const failing = failingCategories(resolveFields(settings, fields));
        const { texts, leftOut, categories } =
          body.csv === undefined ? await labelsOf(params.id, body, failing) : await inCsv(body.csv, body, failing);
        assertFew(texts, body.csv === undefined ? 'labels' : 'csv', 'fit');
        const { falseAlarms } = body;
        const fit = await fitThresholds({
          analyzer,
          texts,
          categories,
          settings,
          fields,
          falseAlarms,
          caller: await context.callerOf(reply),
          concurrency: PREVIEW_CONCURRENCY,
        });
        return { version: stored.version, leftOut, falseAlarms, ...fit };
      });
    },
  );
}

type FitBody = z.output<typeof fitBody>;

function ownColumns(columns: FitBody['labelColumns']): Map<LabelCategory, string> {
  return new Map(
    LABEL_CATEGORIES.flatMap((category) => {
      const column = columns[category];
      return column === undefined ? [] : [[category, column] as const];
    }),
  );
}
