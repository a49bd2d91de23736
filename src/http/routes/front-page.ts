/** The page at /: where to go from here. It needs no key, and tells nothing but the addresses. */
import type { FastifyInstance } from 'fastify';
import { PAGE_POLICY } from './docs-page.js';
import { fileInMemory, sendFile, TYPES } from './files-in-memory.js';

/** To a page of an extension. */
export interface FrontPageLink {
  /** Without a slash before it. */
  readonly path: string;
  /** HTML */
  readonly says: string;
}

/** Relative addresses, so that the page works behind a proxy that puts it under another path. */
const page = (more: FrontPageLink | undefined): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Parapet</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <main>
      <h1>Parapet</h1>
      <p>Content moderation: POST a text to <code>/v1/analyze</code> with an API key, and a verdict comes back.</p>
      <ul>
        <li><a href="docs">/docs</a>: the API, to read and to try</li>
        <li><a href="openapi.json">/openapi.json</a>: the same for programs</li>
        <li><a href="v1/health">/v1/health</a>: the state of the service</li>${
          more === undefined
            ? ''
            : `
        <li><a href="${more.path}">/${more.path}</a>: ${more.says}</li>`
        }
      </ul>
    </main>
  </body>
</html>
`;

export function registerFrontPage(app: FastifyInstance, more?: FrontPageLink): void {
  const file = fileInMemory(page(more), TYPES.html);
  app.get('/', { schema: { hide: true } }, (request, reply) => sendFile(file, request, reply, PAGE_POLICY));
}
