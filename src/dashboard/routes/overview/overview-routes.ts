/** The overview of what was counted, and the same as CSV. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../../../http/body/validation.js';
import { problems } from '../../../http/routes/schemas.js';
import { type AdminContext, may, reading } from '../admin-context.js';
import { csvOf, overviewOf } from './overview.js';
import { overviewCsv, overviewQuery, overviewResponse, type Overview, type OverviewQuery } from './overview-schemas.js';

export function registerOverviewRoutes(app: FastifyInstance, context: AdminContext): void {
  const { store, askingKeys, askingRecords, now } = context;
  const typed = app.withTypeProvider<ZodTypeProvider>();

  async function overview(query: OverviewQuery): Promise<Overview> {
    const keys = await askingKeys(() => store.keys.list());
    // So that it is not a minute old.
    await store.statistics.flush();
    return askingRecords(() => overviewOf(store.sql.read, query, keys, now()));
  }

  typed.get(
    '/overview',
    {
      config: may('viewer'),
      schema: {
        ...reading('Sum up what was judged and refused'),
        querystring: overviewQuery,
        response: { 200: overviewResponse, ...problems(400, 401, 403, 503) },
      },
    },
    ({ query }) => overview(query),
  );

  typed.get(
    '/overview.csv',
    {
      config: may('viewer'),
      schema: {
        ...reading('The same as CSV'),
        querystring: overviewQuery,
        response: { 200: overviewCsv, ...problems(400, 401, 403, 503) },
      },
    },
    async ({ query }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="overview.csv"')
        .send(csvOf(await overview(query))),
  );
}
