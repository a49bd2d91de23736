/** What people said of texts of a project: counted, imported, exported and deleted. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { EXPORT_TYPES } from '../../decisions/export.js';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { problems } from '../../http/routes/schemas.js';
import { labelLines } from '../../labelling/label-lines.js';
import { LABEL_SOURCES } from '../../labelling/label-record.js';
import type { LabelCount } from '../../labelling/labels.js';
import { LABEL_CATEGORIES } from '../../moderation/categories.js';
import { type AdminContext, changing, may, reading } from '../routes/admin-context.js';
import { idParams } from '../routes/admin-schemas.js';
import { withFirst } from '../routes/decision-routes.js';
import { requireProject } from '../routes/project-routes.js';
import {
  IMPORT_DESCRIPTION,
  labelExportQuery,
  type LabelExportQuery,
  labelImportBody,
  labelImportResponse,
  labelsDeletedResponse,
  labelSourceQuery,
  labelsResponse,
  type LabelsResponse,
  MAX_LABEL_BYTES,
} from './label-schemas.js';

export function registerLabelRoutes(app: FastifyInstance, context: AdminContext): void {
  const { labels, cipher, askingRecords } = context;
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/projects/:id/labels',
    {
      config: may('viewer'),
      schema: {
        ...reading('Count the labels of a project'),
        params: idParams,
        response: { 200: labelsResponse, ...problems(401, 404, 503) },
      },
    },
    async ({ params: { id } }) => {
      await requireProject(context, id);
      return summed(await askingRecords(() => labels.counts(id)), cipher !== undefined);
    },
  );

  typed.post(
    '/projects/:id/labels/import',
    {
      bodyLimit: MAX_LABEL_BYTES,
      config: may('editor', 'label.import'),
      schema: {
        ...changing('Import labels'),
        description: IMPORT_DESCRIPTION,
        params: idParams,
        body: labelImportBody,
        response: { 200: labelImportResponse, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await requireProject(context, id);
      const file = await context.reading.labels(request.body);
      await askingRecords(() => labels.keep(id, 'import', file.labels));
      const taken = file.labels.length;
      request.audited = { details: { taken } };
      return { taken, leftOut: file.leftOut };
    },
  );

  // Untyped: the types of the provider have no place for an answer that is a stream.
  app.get<{ Params: z.output<typeof idParams>; Querystring: LabelExportQuery }>(
    '/projects/:id/labels/export',
    {
      config: may('editor', 'label.export'),
      schema: {
        ...reading('Export labels with their texts'),
        description:
          'JSON Lines, or a CSV in which no cell is a formula: a text a row, and a column for each category. With `coop` each line is the body of a request to `POST /api/v1/items/async/` of Coop.',
        params: idParams,
        querystring: labelExportQuery,
        response: { 200: z.string(), ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { format, coopType } = request.query;
      await requireProject(context, id);
      request.audited = { details: { format } };
      const lines = labelLines(labels.each(id), format, coopType);
      // A database that does not answer is told before the file begins.
      const first = await askingRecords(() => lines.next());
      const type = format === 'csv' ? 'csv' : 'jsonl';
      void reply
        .type(EXPORT_TYPES[type])
        .header('content-disposition', `attachment; filename="labels.${type}"`)
        .header('cache-control', 'no-store');
      return reply.send(Readable.from(withFirst(first, lines)));
    },
  );

  typed.delete(
    '/projects/:id/labels',
    {
      config: may('editor', 'label.delete'),
      schema: {
        ...changing('Delete labels of a project'),
        description: 'Those that were imported, or suggested. What reviews say goes with its decision.',
        params: idParams,
        querystring: labelSourceQuery,
        response: { 200: labelsDeletedResponse, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { source } = request.query;
      await requireProject(context, id);
      const deleted = await askingRecords(() => labels.deleteAll(id, source));
      request.audited = { details: { source, deleted } };
      return { deleted };
    },
  );
}

function summed(counts: readonly LabelCount[], canKeep: boolean): LabelsResponse {
  const textsOf = (fits: (count: LabelCount) => boolean): number =>
    counts.reduce((sum, count) => sum + (fits(count) ? count.texts : 0), 0);
  return {
    texts: textsOf(() => true),
    sources: LABEL_SOURCES.map((source) => ({ source, texts: textsOf((count) => count.source === source) })),
    outcome: {
      shouldPass: textsOf(({ shouldPass }) => shouldPass === true),
      shouldFail: textsOf(({ shouldPass }) => shouldPass === false),
    },
    categories: LABEL_CATEGORIES.map((category) => ({
      category,
      yes: textsOf(({ truth }) => truth.get(category) === true),
      no: textsOf(({ truth }) => truth.get(category) === false),
    })),
    canKeep,
  };
}
