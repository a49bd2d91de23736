/** Promises of /openapi.json and /docs: a description that is whole, and a page that needs nothing but this service. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { packageVersion } from '../../src/config/package-version.js';
import { ERROR_TABLE } from '../../src/errors.js';
import { createFakeAnalyzer, INSULT } from '../support/fake-analyzer.js';
import { createHttpService } from '../support/http-service.js';
import { PAGE_POLICY } from '../support/problem.js';

const operation = z.object({
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }).optional(),
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string().min(1), content: z.record(z.string(), z.object({ schema: z.unknown() })) }),
  ),
});

/** What this project relies on of https://spec.openapis.org/oas/v3.1.1.html */
const openApi = z.object({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  tags: z.array(z.object({ name: z.string() })),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.looseObject({ type: z.literal('object') })),
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
});

async function describedApi() {
  const service = await createHttpService({ analyzer: createFakeAnalyzer(() => INSULT) });
  const answer = await service.app.inject('/openapi.json');
  return { ...service, answer, api: openApi.parse(answer.json()) };
}

const GUARDED = [
  ...['LiteLlmGuard', 'AgentgatewayPrompt', 'AgentgatewayChoices'],
  ...['CoralPhase', 'DifyModeration', 'PortkeyWebhook'],
];

/** Every `$ref` in the document. */
const referencesIn = (json: string): string[] =>
  [...json.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '');

describe('GET /openapi.json', () => {
  it('is what docs/openapi.json says: after a change, npm run openapi writes it', async () => {
    const { answer, api } = await describedApi();
    const document = { ...answer.json<object>(), info: { ...api.info, version: packageVersion() } };
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
  });

  it('describes every endpoint and no other, without a key', async () => {
    const { answer, api } = await describedApi();
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.entries(api.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/v1/analyze', ['post']],
      ['/v1/analyze/batch', ['post']],
      ['/v1/decisions', ['get', 'delete']],
      ['/v1/decisions/{id}', ['get']],
      ['/v1/moderations', ['post']],
      ['/v1alpha1/comments:analyze', ['post']],
      ['/v1alpha1/comments:suggestscore', ['post']],
      ['/beta/litellm_basic_guardrail_api', ['post']],
      ['/request', ['post']],
      ['/response', ['post']],
      ['/v1/guardrails/coral/{keyId}', ['post']],
      ['/v1/guardrails/dify', ['post']],
      ['/v1/guardrails/portkey', ['post']],
      ['/v1/decisions/{id}/appeals', ['post']],
      ['/v1/reviews', ['get']],
      ['/v1/health', ['get']],
      ['/readyz', ['get']],
      ['/livez', ['get']],
    ]);
  });

  it('says in which headers each route takes a key, and that health needs none', async () => {
    const { api } = await describedApi();
    expect(api.components.securitySchemes).toEqual({
      ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      ApiKeyInQuery: { type: 'apiKey', in: 'query', name: 'key' },
      BearerKey: { type: 'http', scheme: 'bearer' },
      CoralSignature: { type: 'apiKey', in: 'header', name: 'X-Coral-Signature' },
    });
    expect(api.paths['/v1/guardrails/coral/{keyId}']?.post?.security).toEqual([{ CoralSignature: [] }]);
    expect(api.paths['/v1/analyze/batch']?.post?.security).toEqual([{ ApiKey: [] }, { BearerKey: [] }]);
    expect(api.paths['/v1/moderations']?.post?.security).toEqual([{ BearerKey: [] }, { ApiKey: [] }]);
    expect(api.paths['/v1alpha1/comments:analyze']?.post?.security).toEqual([
      { ApiKey: [] },
      { BearerKey: [] },
      { ApiKeyInQuery: [] },
    ]);
    expect(api.paths['/v1/analyze']?.post?.security).toEqual([{ ApiKey: [] }, { BearerKey: [] }]);
    expect(api.paths['/v1/health']?.get?.security).toBeUndefined();
  });

  it('names every status of POST /v1/analyze with the codes behind it', async () => {
    const { api } = await describedApi();
    const responses = api.paths['/v1/analyze']?.post?.responses ?? {};
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '408', '413', '415', '429', '431', '500', '503']);
    const elsewhere = ['not_found', 'method_not_allowed', 'conflict'];
    for (const [code, { status }] of Object.entries(ERROR_TABLE).filter(
      ([code, entry]) => !elsewhere.includes(code) && !('of' in entry),
    )) {
      expect(responses[status]?.description).toContain(`\`${code}\``);
      expect(Object.keys(responses[status]?.content ?? {})).toEqual(['application/problem+json']);
    }
    expect(Object.keys(responses['200']?.content ?? {})).toEqual(['application/json']);
    expect(Object.keys(api.paths['/v1/health']?.get?.responses ?? {})).toEqual(['200', '503']);
  });

  it('lists the endpoints for callers before those of the dashboard', async () => {
    const { app } = await createHttpService({ dashboard: {} });
    const { paths, tags } = openApi.parse((await app.inject('/openapi.json')).json());
    const isOfDashboard = Object.keys(paths).map((path) => path.startsWith('/dashboard/'));
    expect(isOfDashboard).toEqual(isOfDashboard.toSorted((a, b) => Number(a) - Number(b)));
    expect(isOfDashboard.indexOf(true)).toBe(18);
    expect(tags.map(({ name }) => name)).toEqual([
      'moderation',
      'compatibility',
      'guardrails',
      'decisions',
      'review',
      'operation',
      'dashboard',
    ]);
  });

  it('holds each shape once, and every shape that it refers to', async () => {
    const { answer, api } = await describedApi();
    const requests = [
      'AnalyzeRequest',
      'BatchRequest',
      'ModerationRequest',
      'AnalyzeCommentRequest',
      'SuggestScoreRequest',
      ...GUARDED.map((name) => `${name}Request`),
      'AppealRequest',
    ];
    const decisions = ['Decision', 'DecisionList', 'DecisionsDeleted'];
    const own = ['AnalyzeResponse', 'BatchResponse', ...decisions, 'Details', 'HealthResponse', 'Problem'];
    const openAi = ['ModerationResponse', 'OpenAiError'];
    const perspective = ['AnalyzeCommentResponse', 'SuggestScoreResponse', 'PerspectiveError'];
    const guarded = GUARDED.map((name) => `${name}Response`);
    const reviews = ['Appeal', 'ReviewOutcome', 'ReviewOutcomes'];
    const names = [...requests, ...own, ...openAi, ...perspective, ...guarded, ...reviews];
    expect(Object.keys(api.components.schemas)).toEqual(names);
    expect(new Set(referencesIn(answer.body))).toEqual(new Set(names.map((name) => `#/components/schemas/${name}`)));
  });

  it('holds plain JSON Schema that a client can build its types from', async () => {
    const { api } = await describedApi();
    expect(api.components.schemas.AnalyzeRequest).toMatchObject({
      properties: { content: { type: 'string', minLength: 1, maxLength: 10_000 }, metadata: { type: 'object' } },
      required: ['content'],
    });
    expect(api.components.schemas.AnalyzeRequest).not.toHaveProperty('additionalProperties');
    expect(JSON.stringify(api.components.schemas)).not.toMatch(/"\$(schema|id)"/);
    const parameters = api.paths['/v1/analyze']?.post?.parameters?.map(({ name, in: place }) => [name, place]);
    expect(parameters).toEqual([['details', 'query']]);
  });

  it('describes the answers as they are: validated against it, none has a member too few or too many', async () => {
    const { api, analyze, app } = await describedApi();
    const accepts = (name: string, body: unknown): boolean => {
      const definitions = JSON.stringify(api.components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
      const $defs = JSON.parse(definitions) as Record<string, Parameters<typeof z.fromJSONSchema>[0]>;
      return z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs } as never).safeParse(body).success;
    };
    const content = 'You are an idiot.';
    const detailed = await analyze({ content }, { url: '/v1/analyze?details=true' });
    expect(accepts('AnalyzeResponse', (await analyze({ content })).json())).toBe(true);
    expect(accepts('AnalyzeResponse', detailed.json())).toBe(true);
    expect(accepts('Problem', (await analyze({ content: 7 })).json())).toBe(true);
    expect(accepts('HealthResponse', (await app.inject('/v1/health')).json())).toBe(true);
    expect(accepts('AnalyzeResponse', { ...(await analyze({ content })).json<object>(), more: 1 })).toBe(false);
  });
});

describe('GET /docs', () => {
  it.each(['/docs', '/docs/'])('%s is a page that loads only what this service serves', async (path) => {
    const { app } = await createHttpService();
    const page = await app.inject(path);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).not.toMatch(/https?:|"\/\//);
    const assets = [...page.body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(assets).toHaveLength(4);
    for (const asset of assets) {
      const { pathname } = new URL(asset, `http://localhost${path}`);
      expect([pathname, (await app.inject(pathname)).statusCode]).toEqual([pathname, 200]);
    }
  });

  it('forbids the browser every other host, and works over plain HTTP', async () => {
    const { app } = await createHttpService();
    expect((await app.inject('/docs')).headers['content-security-policy']).toBe(PAGE_POLICY);
    expect(PAGE_POLICY).not.toMatch(/https?:|\*|\w\.\w|unsafe|upgrade-insecure-requests/);
  });

  it('shows the API of this service, and asks no validator elsewhere about it', async () => {
    const { app } = await createHttpService();
    const script = (await app.inject('/docs/static/page.js')).body;
    expect(script).toContain("new URL('../../openapi.json', document.currentScript.src)");
    expect(script).toContain('validatorUrl: null');
  });
});
