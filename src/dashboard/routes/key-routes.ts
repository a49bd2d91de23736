/** Keys over HTTP: list with what they did lately, create, rotate, revoke. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { type Key as KeptKey, summaryOf } from '../../keys/key-record.js';
import type { CreatedKey } from '../../keys/key-repository.js';
import { type AdminContext, changing, reading, may } from './admin-context.js';
import {
  createdKeyResponse,
  idParams,
  keyBody,
  keyListResponse,
  keySchema,
  rotateBody,
  type CreatedKeyResponse,
  type Key,
  type Usage,
} from './admin-schemas.js';
import { usageByKey } from './overview/overview.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { problems } from '../../http/routes/schemas.js';

const NO_USAGE: Usage = { requests: 0, flagged: 0 };

export function registerKeyRoutes(
  app: FastifyInstance,
  { store: { keys, statistics, sql, usage }, askingKeys, now }: AdminContext,
): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  /** Keys are shown without it while the database does not answer. */
  async function usages(at: Date): Promise<ReadonlyMap<string, Usage>> {
    await statistics.flush();
    return usageByKey(sql.read, at).catch(() => new Map<string, Usage>());
  }

  function created({ key, record }: CreatedKey): CreatedKeyResponse {
    return { key, record: onTheWire(record, now(), NO_USAGE) };
  }

  typed.get(
    '/keys',
    {
      config: may('viewer'),
      schema: { ...reading('List keys'), response: { 200: keyListResponse, ...problems(401, 503) } },
    },
    () =>
      askingKeys(async () => {
        // So that the list is not a minute old.
        await usage.flush();
        const at = now();
        const counts = await usages(at);
        const kept = await keys.list();
        return { keys: kept.map((key) => onTheWire(key, at, counts.get(key.id) ?? NO_USAGE)) };
      }),
  );

  typed.post(
    '/keys',
    {
      config: may('editor', 'key.create'),
      schema: {
        ...changing('Create a key'),
        body: keyBody,
        response: { 201: createdKeyResponse, ...problems(400, 401, 403, 404, 409, 413, 415, 503) },
      },
    },
    async ({ body: { projectId, name, environment, expiresInDays, rateLimitPerMinute } }, reply) => {
      const expiresInMs = expiresInDays === null ? null : expiresInDays * DAY_MS;
      const request = { name, environment, expiresInMs, rateLimitPerMinute };
      return reply.code(201).send(created(await askingKeys(() => keys.createInProject(projectId, request))));
    },
  );

  typed.post(
    '/keys/:id/rotate',
    {
      config: may('editor', 'key.rotate'),
      schema: {
        ...changing('Put a new key in place of one'),
        params: idParams,
        body: rotateBody,
        response: { 201: createdKeyResponse, ...problems(400, 401, 403, 404, 409, 413, 415, 503) },
      },
    },
    async ({ params, body }, reply) => {
      const overlapMs = body.overlapHours * HOUR_MS;
      return reply.code(201).send(created(await askingKeys(() => keys.rotate(params.id, { overlapMs }))));
    },
  );

  typed.post(
    '/keys/:id/revoke',
    {
      config: may('editor', 'key.revoke'),
      schema: {
        ...changing('Revoke a key'),
        description: 'It fails in every running server from the first request that starts after the answer.',
        params: idParams,
        response: { 200: keySchema, ...problems(401, 403, 404, 503) },
      },
    },
    async ({ params }) => {
      const record = await askingKeys(() => keys.revoke(params.id));
      const at = now();
      return onTheWire(record, at, (await usages(at)).get(record.id) ?? NO_USAGE);
    },
  );
}

function onTheWire(record: KeptKey, at: Date, usage: Usage): Key {
  return { ...summaryOf(record, at), usage };
}
