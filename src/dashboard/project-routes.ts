/** Projects over HTTP: list, create, rename, archive, restore. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { requireBody } from '../http/json-body.js';
import type { ProjectRecord } from '../keys/key-record.js';
import type { ProjectRepository } from '../keys/key-repository.js';
import { answering, changing, problems, reading } from './admin-route.js';
import { idParams, projectBody, projectListResponse, projectSchema, type Project } from './admin-schemas.js';

export interface ProjectRoutesOptions {
  readonly projects: ProjectRepository;
  readonly onProblem: (problem: string) => void;
}

export function registerProjectRoutes(app: FastifyInstance, { projects, onProblem }: ProjectRoutesOptions): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/projects',
    { schema: { ...reading('List projects'), response: { 200: projectListResponse, ...problems(401, 503) } } },
    () => answering(async () => ({ projects: (await projects.list()).map(onTheWire) }), onProblem),
  );

  typed.post(
    '/projects',
    {
      preValidation: requireBody,
      schema: {
        ...changing('Create a project'),
        body: projectBody,
        response: { 201: projectSchema, ...problems(400, 401, 403, 409, 413, 415, 503) },
      },
    },
    async ({ body }, reply) =>
      reply.code(201).send(onTheWire(await answering(() => projects.create(body.name), onProblem))),
  );

  typed.patch(
    '/projects/:id',
    {
      preValidation: requireBody,
      schema: {
        ...changing('Rename a project'),
        params: idParams,
        body: projectBody,
        response: { 200: projectSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 503) },
      },
    },
    async ({ params, body }) => onTheWire(await answering(() => projects.rename(params.id, body.name), onProblem)),
  );

  typed.post(
    '/projects/:id/archive',
    {
      schema: {
        ...changing('Archive a project'),
        description: 'Revokes all of its keys at once and for good. It takes no new ones.',
        params: idParams,
        response: { 200: projectSchema, ...problems(401, 403, 404, 503) },
      },
    },
    async ({ params }) => onTheWire(await answering(() => projects.archive(params.id), onProblem)),
  );

  typed.post(
    '/projects/:id/restore',
    {
      schema: {
        ...changing('Restore an archived project'),
        description: 'It takes new keys again. The keys that archiving revoked stay revoked.',
        params: idParams,
        response: { 200: projectSchema, ...problems(401, 403, 404, 503) },
      },
    },
    async ({ params }) => onTheWire(await answering(() => projects.restore(params.id), onProblem)),
  );
}

function onTheWire({ id, name, createdAt, archivedAt }: ProjectRecord): Project {
  return { id, name, createdAt, archivedAt };
}
