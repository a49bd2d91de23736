/** The pages for people, all from memory: at / where to go from here, at /docs the API to read and try (Swagger UI). Neither needs a key. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { fileInMemory, pagePolicy, sendFile, TYPES, type FileInMemory } from './files-in-memory.js';

/** Swagger UI draws its icons from `data:` addresses. */
const PAGE_POLICY = pagePolicy("'self' data:");

/** Relative addresses, so that the page works behind a proxy that puts it under another path. */
const docsPage = (files: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Parapet API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${files}/swagger-ui.css" />
    <link rel="stylesheet" href="${files}/page.css" />
    <script src="${files}/swagger-ui-bundle.js" defer></script>
    <script src="${files}/page.js" defer></script>
  </head>
  <body>
    <main id="api"></main>
  </body>
</html>
`;

/** Swagger UI has dark colours of its own, for the class that its full layout sets; this one asks the browser. */
const SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: new URL('../../openapi.json', document.currentScript.src).href,
  dom_id: '#api',
  deepLinking: true,
  // Its badge would ask a validator elsewhere.
  validatorUrl: null,
});
`;

/** In the colours of the dashboard. */
const STYLE = `:root {
  color-scheme: light dark;
  --ground: #f5f6fa;
  --text: #1a1d2b;
  --accent: #3b4cca;
  --on-accent: #ffffff;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12141c;
    --text: #eceef6;
    --accent: #a4aefc;
    --on-accent: #14172a;
  }
}

body {
  margin: 0;
  background: var(--ground);
}

.swagger-ui .topbar {
  display: none;
}

.swagger-ui,
.swagger-ui :is(.info, .opblock-tag, .opblock-summary-description, .btn, h2, h3, h4, h5, table, p, label) {
  color: var(--text);
  font-family: system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif;
}

/* Swagger UI's rules for the dark name many classes: these must count for more. */
html .swagger-ui.swagger-ui,
html .swagger-ui.swagger-ui :is(.scheme-container, .opblock-tag) {
  background: none;
  box-shadow: none;
}

html .swagger-ui.swagger-ui :is(a, .info a, .scheme-container .btn.authorize) {
  border-color: var(--accent);
  color: var(--accent);
}

html .swagger-ui.swagger-ui .scheme-container .btn.authorize svg {
  fill: var(--accent);
}

html .swagger-ui.swagger-ui .info .title small:is(.version-stamp, small) {
  background: var(--accent);
}

html .swagger-ui.swagger-ui .info .title small pre {
  color: var(--on-accent);
}

/* On light green, blue and red in both. */
html .swagger-ui.swagger-ui .opblock-summary-method {
  color: #080a0b;
  text-shadow: none;
}

html .swagger-ui.swagger-ui button[class^='json-schema'] {
  color: var(--text);
}

html .swagger-ui.swagger-ui .btn.execute {
  border-color: var(--accent);
  background: var(--accent);
  color: var(--on-accent);
}

.start {
  max-width: 40rem;
  margin: min(12vh, 6rem) auto;
  padding: 0 1rem;
  color: var(--text);
  font: 16px/1.6 system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif;
}

.start a {
  color: var(--accent);
  font-weight: 500;
}
`;

export function registerDocsPage(app: FastifyInstance): void {
  const files: Readonly<Record<string, FileInMemory>> = {
    '/docs': fileInMemory(docsPage('docs/static'), TYPES.html),
    '/docs/': fileInMemory(docsPage('static'), TYPES.html),
    '/docs/static/page.js': fileInMemory(SCRIPT, TYPES.js),
    '/docs/static/page.css': fileInMemory(STYLE, TYPES.css),
    '/docs/static/swagger-ui.css': fileInMemory(readOfPackage('swagger-ui.css'), TYPES.css),
    '/docs/static/swagger-ui-bundle.js': fileInMemory(readOfPackage('swagger-ui-bundle.js'), TYPES.js),
  };
  for (const [path, file] of Object.entries(files)) {
    app.get(path, { schema: { hide: true } }, (request, reply) => sendFile(file, request, reply, PAGE_POLICY));
  }
}

/**
 * Swagger UI as this package carries it. Its routes are of no use here: they open a file for each request. The package that Swagger UI
 * itself publishes, swagger-ui-dist, reports its installation to others.
 */
function readOfPackage(name: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${name}`));
}

/** To a page of an extension. */
export interface FrontPageLink {
  /** Without a slash before it. */
  readonly path: string;
  /** HTML */
  readonly says: string;
}

/** It tells nothing but addresses, and those relative as above. */
const frontPage = (more: FrontPageLink | undefined): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Parapet</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs/static/page.css" />
  </head>
  <body>
    <main class="start">
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
  const file = fileInMemory(frontPage(more), TYPES.html);
  app.get('/', { schema: { hide: true } }, (request, reply) => sendFile(file, request, reply, PAGE_POLICY));
}
