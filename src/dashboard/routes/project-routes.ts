/** Projects over HTTP: list, create, rename, archive, restore. */
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import type { ProjectRecord } from '../../keys/key-record.js';
import { type AdminContext, changing, reading, may } from './admin-context.js';
import { idParams, projectBody, projectListResponse, projectSchema, type Project } from './admin-schemas.js';
import { problems } from '../../http/routes/schemas.js';

export function registerProjectRoutes(app: FastifyInstance, { store: { projects }, askingKeys }: AdminContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/projects',
    {
      config: may('viewer'),
      schema: { ...reading('List projects'), response: { 200: projectListResponse, ...problems(401, 503) } },
    },
    () => askingKeys(async () => ({ projects: (await projects.list()).map(onTheWire) })),
  );

  typed.post(
    '/projects',
    {
      config: may('editor', 'project.create'),
      schema: {
        ...changing('Create a project'),
        body: projectBody,
        response: { 201: projectSchema, ...problems(400, 401, 403, 409, 413, 415, 503) },
      },
    },
    async ({ body }, reply) => reply.code(201).send(onTheWire(await askingKeys(() => projects.create(body.name)))),
  );

  typed.patch(
    '/projects/:id',
    {
      config: may('editor', 'project.rename'),
      schema: {
        ...changing('Rename a project'),
        params: idParams,
        body: projectBody,
        response: { 200: projectSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 503) },
      },
    },
    async ({ params, body }) => onTheWire(await askingKeys(() => projects.rename(params.id, body.name))),
  );

  typed.post(
    '/projects/:id/archive',
    {
      config: may('editor', 'project.archive'),
      schema: {
        ...changing('Archive a project'),
        description: 'Revokes all of its keys at once and for good. It takes no new ones.',
        params: idParams,
        response: { 200: projectSchema, ...problems(401, 403, 404, 503) },
      },
    },
    async ({ params }) => onTheWire(await askingKeys(() => projects.archive(params.id))),
  );

  typed.post(
    '/projects/:id/restore',
    {
      config: may('editor', 'project.restore'),
      schema: {
        ...changing('Restore an archived project'),
        description: 'It takes new keys again. The keys that archiving revoked stay revoked.',
        params: idParams,
        response: { 200: projectSchema, ...problems(401, 403, 404, 503) },
      },
    },
    async ({ params }) => onTheWire(await askingKeys(() => projects.restore(params.id))),
  );
}

/** @throws ServiceError `not_found`, `keys_unavailable` */
export async function requireProject(
  { store, askingKeys }: Pick<AdminContext, 'store' | 'askingKeys'>,
  id: string,
): Promise<ProjectRecord> {
  const found = (await askingKeys(() => store.projects.list())).find((project) => project.id === id);
  if (found === undefined) throw new ServiceError('not_found', 'There is no such project.');
  return found;
}

function onTheWire({ id, name, createdAt, archivedAt }: ProjectRecord): Project {
  return { id, name, createdAt, archivedAt };
}
