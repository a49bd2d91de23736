/** Serves the page: one shell for all its addresses, and the files that the shell names. All are read once, at the start. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OperatorError, ServiceError } from '../errors.js';

/** No inline script or style, nothing from elsewhere, nobody's frame, and no string that becomes markup. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

const VIEWS = ['/', '/keys', '/playground'];

interface PageFile {
  readonly body: Buffer;
  readonly type: string;
  readonly tag: string;
}

/** @throws OperatorError when the build is not whole */
export function registerPage(app: FastifyInstance, folder: URL): void {
  const files = readFolder(folder);
  const shell = files.get('index.html');
  if (shell === undefined) throw new OperatorError('The page of the dashboard is not built. Run npm run build.');
  for (const view of VIEWS) app.get(view, { schema: { hide: true } }, (request, reply) => send(shell, request, reply));
  app.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, (request, reply) => {
    const file = files.get(request.params.name);
    if (file === undefined) throw new ServiceError('not_found', 'The page has no such file.');
    send(file, request, reply);
  });
}

function send({ body, type, tag }: PageFile, request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-cache',
    etag: tag,
  });
  if (request.headers['if-none-match'] === tag) void reply.code(304).send();
  else void reply.type(type).send(body);
}

function readFolder(folder: URL): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const name of readdirSync(folder)) {
    const type = TYPES.get(extname(name));
    if (type === undefined) continue;
    const body = readFileSync(new URL(name, folder));
    const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    files.set(name, { body, type, tag });
  }
  return files;
}
