/** Serves the page: one shell for all its addresses, and the files that the shell names. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { OperatorError, ServiceError } from '../errors.js';
import { fileInMemory, pagePolicy, sendFile, TYPES, type FileInMemory } from '../http/routes/files-in-memory.js';

/** With its contents the name of an asset changes. */
const ASSET_CACHING = 'public, max-age=31536000, immutable';

/** And no string that becomes markup. */
const CONTENT_SECURITY_POLICY = `${pagePolicy("'self'")}; require-trusted-types-for 'script'`;

const TYPE_OF_EXTENSION: ReadonlyMap<string, string> = new Map(Object.entries(TYPES));

const VIEWS = [
  '/',
  '/decisions',
  '/review',
  '/labels',
  '/keys',
  '/policies',
  '/playground',
  '/people',
  '/audit',
  '/account',
];

/** @throws OperatorError when the build is not whole */
export function registerPage(app: FastifyInstance, folder: URL): void {
  const shell = readFolder(folder).get('index.html');
  if (shell === undefined) throw new OperatorError('The page of the dashboard is not built. Run npm run build.');
  const assets = readFolder(new URL('assets/', folder));
  for (const view of VIEWS) {
    app.get(view, { schema: { hide: true } }, (request, reply) =>
      sendFile(shell, request, reply, CONTENT_SECURITY_POLICY),
    );
  }
  app.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, (request, reply) => {
    const file = assets.get(request.params.name);
    if (file === undefined) throw new ServiceError('not_found', 'The page has no such file.');
    sendFile(file, request, reply, CONTENT_SECURITY_POLICY, ASSET_CACHING);
  });
}

function readFolder(folder: URL): ReadonlyMap<string, FileInMemory> {
  const files = new Map<string, FileInMemory>();
  for (const name of readdirSync(folder)) {
    const type = TYPE_OF_EXTENSION.get(extname(name).slice(1));
    if (type !== undefined) files.set(name, fileInMemory(readFileSync(new URL(name, folder)), type));
  }
  return files;
}
