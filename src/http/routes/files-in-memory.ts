/** Files of a page, read once at the start and answered from memory: no request opens one, so none can leave one open. */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface FileInMemory {
  readonly body: Buffer;
  readonly type: string;
  readonly tag: string;
}

export const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

export function fileInMemory(content: string | Buffer, type: string): FileInMemory {
  const body = Buffer.from(content);
  return { body, type, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

/** A Content-Security-Policy: only this service, no inline script or style, nobody's frame. */
export function pagePolicy(images: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * @param policy the Content-Security-Policy of the page that the file belongs to
 * @param cacheControl of a file that changes under its name unless it says otherwise
 */
export function sendFile(
  { body, type, tag }: FileInMemory,
  request: FastifyRequest,
  reply: FastifyReply,
  policy: string,
  cacheControl = 'no-cache',
): void {
  void reply.headers({
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': cacheControl,
    etag: tag,
  });
  if (request.headers['if-none-match'] === tag) void reply.code(304).send();
  else void reply.type(type).send(body);
}
