/** Promises of the admin API: what its answers hold, what its changes do to keys, and that the description matches. */
import { gzipSync } from 'node:zlib';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  createdKeyResponse,
  keyListResponse,
  playgroundResponse,
  projectListResponse,
  projectSchema,
} from '../../../src/dashboard/routes/admin-schemas.js';
import { overviewResponse } from '../../../src/dashboard/routes/overview/overview-schemas.js';
import { signedIn } from '../../support/dashboard/admin-client.js';
import { signInSettingsOf } from '../../support/dashboard/oidc.js';
import { builtUrl } from '../../support/built.js';
import { createFakeAnalyzer, HARMLESS, INSULT } from '../../support/fake-analyzer.js';
import { createHttpService } from '../../support/http-service.js';

const NEW_KEY = { name: 'web', environment: 'live' };

async function signedInService(judge = () => HARMLESS) {
  const service = await createHttpService({ dashboard: {}, analyzer: createFakeAnalyzer(judge) });
  const admin = await signedIn(service.app);
  const projects = async () => projectListResponse.parse((await admin.get('/projects')).json()).projects;
  const keys = async () => keyListResponse.parse((await admin.get('/keys')).json()).keys;
  return { ...service, admin, projects, keys };
}

const statusWith = async (service: Awaited<ReturnType<typeof signedInService>>, key: string): Promise<number> =>
  (await service.analyze({ content: 'Hello' }, { headers: { 'x-api-key': key } })).statusCode;

describe('projects', () => {
  it('begin with the keys that name them, and can be created beside them', async () => {
    const { admin, projects } = await signedInService();
    expect((await projects()).map(({ name }) => name)).toEqual(['shop']);
    expect((await admin.send('POST', '/projects', { name: ' forum ' })).statusCode).toBe(201);
    expect((await projects()).map(({ name }) => name)).toEqual(['shop', 'forum']);
  });

  it('take their keys along when they are renamed', async () => {
    const service = await signedInService();
    const [shop] = await service.projects();
    const renamed = await service.admin.send('PATCH', `/projects/${shop?.id ?? ''}`, { name: 'store' });
    expect(projectSchema.parse(renamed.json())).toMatchObject({ id: shop?.id, name: 'store' });
    expect((await service.keys()).map(({ project }) => project)).toEqual(['store']);
    expect(await statusWith(service, service.key)).toBe(200);
  });

  it('revoke their keys at once when they are archived, and take no new ones', async () => {
    const service = await signedInService();
    const [shop] = await service.projects();
    const id = shop?.id ?? '';
    expect((await service.admin.send('POST', `/projects/${id}/archive`)).statusCode).toBe(200);
    expect(await statusWith(service, service.key)).toBe(401);
    expect((await service.admin.send('POST', '/keys', { ...NEW_KEY, projectId: id })).statusCode).toBe(409);
    await expect(service.createKey()).rejects.toThrow('archived');
  });

  it('are restored without the keys that archiving revoked, and take new ones', async () => {
    const service = await signedInService();
    const [shop] = await service.projects();
    const id = shop?.id ?? '';
    await service.admin.send('POST', `/projects/${id}/archive`);
    const restored = await service.admin.send('POST', `/projects/${id}/restore`);
    expect([restored.statusCode, projectSchema.parse(restored.json())]).toEqual([200, shop]);
    expect(await service.projects()).toEqual([shop]);
    expect(await statusWith(service, service.key)).toBe(401);
    const created = await service.admin.send('POST', '/keys', { ...NEW_KEY, projectId: id });
    expect(await statusWith(service, createdKeyResponse.parse(created.json()).key)).toBe(200);
  });

  it.each([
    ['POST', '/projects', { name: '' }, 400],
    ['POST', '/projects', { name: 'a\nb' }, 400],
    ['POST', '/projects', {}, 400],
    ['POST', '/projects', { name: 'shop' }, 409],
    ['PATCH', '/projects/prj_nobody', { name: 'x' }, 404],
    ['POST', '/projects/prj_nobody/archive', undefined, 404],
    ['POST', '/projects/prj_nobody/restore', undefined, 404],
    ['POST', '/keys', { ...NEW_KEY, projectId: 'prj_nobody' }, 404],
    ['POST', '/keys/key_nobody/revoke', undefined, 404],
  ] as const)('%s %s %j is refused and changes nothing', async (method, path, body, status) => {
    const { admin, keysFile } = await signedInService();
    const before = readFileSync(keysFile, 'utf8');
    expect((await admin.send(method, path, body)).statusCode).toBe(status);
    expect(readFileSync(keysFile, 'utf8')).toBe(before);
  });
});

describe('keys', () => {
  it('are shown once, work at once, and are listed without key or hash', async () => {
    const service = await signedInService();
    const [shop] = await service.projects();
    const request = { ...NEW_KEY, projectId: shop?.id, expiresInDays: 30, rateLimitPerMinute: 60 };
    const answer = await service.admin.send('POST', '/keys', request);
    const { key, record } = createdKeyResponse.parse(answer.json());
    expect(record).toMatchObject({ project: 'shop', name: 'web', state: 'active', rateLimitPerMinute: 60 });
    expect(await statusWith(service, key)).toBe(200);
    const list = (await service.admin.get('/keys')).body;
    expect(list).toContain(record.start);
    expect(list).not.toContain(key.slice(record.start.length));
    expect(list).not.toContain('hash');
  });

  it('say how they were used in the last days, and when last, without delay', async () => {
    const service = await signedInService(() => INSULT);
    await service.analyze({ content: 'a' });
    await service.analyze({ content: 'b' });
    const [key] = await service.keys();
    expect(key?.usage).toEqual({ requests: 2, flagged: 2 });
    expect(key?.lastUsedAt).not.toBeNull();
  });

  it('are rotated with an overlap in which both work', async () => {
    const service = await signedInService();
    const answer = await service.admin.send('POST', `/keys/${service.record.id}/rotate`, { overlapHours: 24 });
    const { key } = createdKeyResponse.parse(answer.json());
    expect([await statusWith(service, service.key), await statusWith(service, key)]).toEqual([200, 200]);
    expect((await service.admin.send('POST', `/keys/${service.record.id}/rotate`, {})).statusCode).toBe(409);
  });

  it('cannot be changed while the file is damaged, and the answer names no file', async () => {
    const { admin, keysFile } = await signedInService();
    writeFileSync(keysFile, '{');
    const answer = await admin.send('POST', '/projects', { name: 'x' });
    expect([answer.statusCode, answer.body.includes(keysFile)]).toEqual([503, false]);
    expect(readFileSync(keysFile, 'utf8')).toBe('{');
  });
});

describe('the playground', () => {
  it('answers what the API would, the thresholds, and the copy that was read where it differs', async () => {
    const { admin, analyze } = await signedInService(() => INSULT);
    const content = 'y0u 1d1ot';
    const shown = playgroundResponse.parse((await admin.send('POST', '/playground', { content })).json());
    const answered = (await analyze({ content }, { url: '/v1/analyze?details=true' })).json<object>();
    expect({ ...shown.analysis, processingTimeMs: 0 }).toEqual({ ...answered, processingTimeMs: 0 });
    expect([shown.thresholds.insult, shown.normalised]).toEqual([0.5, 'you idiot']);
    expect(shown.languageFigures).toBeNull();
    const plain = await admin.send('POST', '/playground', { content: 'Good morning' });
    expect(playgroundResponse.parse(plain.json()).normalised).toBeNull();
  });

  it('says what was measured of the language of the text', async () => {
    const german = { labels: new Map(), sentiments: new Map(), unread: 0, language: { tag: 'de', probability: 0.9 } };
    const analyzer = createFakeAnalyzer(undefined, () => german);
    const admin = await signedIn((await createHttpService({ dashboard: {}, analyzer })).app);
    const shown = playgroundResponse.parse((await admin.send('POST', '/playground', { content: 'Hallo' })).json());
    expect(shown.languageFigures).toEqual({ texts: 171, found: 0.79, passed: 0.878 });
  });

  it('enters no statistics', async () => {
    const { admin } = await signedInService();
    await admin.send('POST', '/playground', { content: 'a text' });
    expect(overviewResponse.parse((await admin.get('/overview')).json()).total.requests).toBe(0);
  });

  it.each([{ content: '' }, { content: 'a'.repeat(10_001) }, { content: 7 }, {}])('refuses %j', async (body) => {
    const { admin } = await signedInService();
    expect((await admin.send('POST', '/playground', body)).statusCode).toBe(400);
  });
});

describe('the overview', () => {
  it('counts verdicts from the first request on, by the door that they came through, and says the same as CSV', async () => {
    const { admin, analyze, record } = await signedInService(() => INSULT);
    await analyze({ content: 'a' });
    await analyze({ input: 'a' }, { url: '/v1/moderations' });
    const overview = overviewResponse.parse((await admin.get('/overview')).json());
    expect(overview.total).toMatchObject({ requests: 2, flagged: 2, cacheHits: 0, refused: 0 });
    expect(overview.total.p50Ms).toBeGreaterThan(0);
    expect(overview.breakdowns.key).toMatchObject([{ value: record.id, name: 'shop: backend', requests: 2 }]);
    expect(overview.breakdowns.door.map(({ value }) => value).sort()).toEqual(['/v1/analyze', '/v1/moderations']);
    const csv = await admin.get('/overview.csv?category=insult&door=/v1/analyze');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = csv.body.trimEnd().split('\r\n');
    expect([lines.length, lines[0]]).toEqual([25, 'start,requests,failed,refused,cached,p50_ms,p95_ms']);
    expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00.000Z,1,1,,,,$/);
  });

  it('counts what was refused at a door by its code, also where another API words the error, and nothing else', async () => {
    const service = await signedInService();
    const { admin, analyze, app } = service;
    await analyze({ content: '' });
    await analyze({ content: 'a' }, { headers: { 'x-api-key': 'wrong' } });
    await analyze({ wrong: 1 }, { url: '/v1/moderations' });
    await analyze({ items: [{ content: 'a' }, { content: '' }] }, { url: '/v1/analyze/batch' });
    await app.inject('/nowhere');
    await app.inject('/v1/analyze');
    await admin.send('POST', '/projects', { name: '' });
    // A request is noted once its answer has left.
    const { refusals, breakdowns } = await vi.waitFor(async () => {
      const overview = overviewResponse.parse((await admin.get('/overview')).json());
      expect([overview.total.requests, overview.total.refused]).toEqual([1, 4]);
      return overview;
    });
    expect(refusals).toEqual([
      { code: 'invalid_body', status: 400, requests: 3 },
      { code: 'unauthorized', status: 401, requests: 1 },
    ]);
    expect(breakdowns.project.map(({ name, refused }) => [name, refused])).toEqual([
      ['shop', 3],
      ['', 1],
    ]);
    expect(breakdowns.door.map(({ value, refused }) => [value, refused])).toEqual([
      ['/v1/analyze', 2],
      ['/v1/analyze/batch', 1],
      ['/v1/moderations', 1],
    ]);
  });

  it.each([
    'period=1y',
    'from=2030-01-01T00:00:00Z',
    'from=2030-01-02T00:00:00Z&to=2030-01-01T00:00:00Z',
    'from=2020-01-01T00:00:00Z&to=2030-01-01T00:00:00Z',
    'from=yesterday&to=today',
    'category=rude',
    'band=high',
    'door=',
  ])('refuses ?%s', async (query) => {
    const { admin } = await signedInService();
    expect((await admin.get(`/overview?${query}`)).json()).toMatchObject({ code: 'invalid_query' });
  });
});

describe('the description', () => {
  const document = z.object({
    tags: z.array(z.object({ name: z.string() })),
    paths: z.record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          tags: z.array(z.string()),
          security: z.array(z.record(z.string(), z.unknown())).optional(),
          responses: z.record(z.string(), z.object({ description: z.string() })),
        }),
      ),
    ),
  });

  it('holds every path of the admin API under its own tag, and none of them takes an API key', async () => {
    const provider = { issuer: 'http://localhost:1', clientId: 'parapet', clientSecret: 'none' };
    const signInSettings = {
      ...signInSettingsOf(provider, 'http://127.0.0.1:1'),
      header: { name: 'remote-user', defaultRole: undefined },
    };
    const { app } = await createHttpService({ trustedProxies: ['10.0.0.0/8'], dashboard: { signInSettings } });
    const { paths, tags } = document.parse((await app.inject('/openapi.json')).json());
    expect(tags.map(({ name }) => name)).toContain('dashboard');
    const admin = Object.entries(paths).filter(([path]) => path.startsWith('/dashboard'));
    expect(admin.length).toBeGreaterThan(10);
    for (const [path, item] of admin) {
      for (const [method, operation] of Object.entries(item)) {
        expect(operation.tags).toEqual(['dashboard']);
        const schemes = (operation.security ?? []).flatMap((each) => Object.keys(each));
        const isSignIn =
          /\/(?:sign-in-ways|oidc\/start|oidc\/callback)$/.test(path) ||
          (/\/(?:session|session\/header|invitations\/(?:open|accept))$/.test(path) && method === 'post');
        expect([path, schemes.includes('AdminSession'), schemes.includes('AdminToken')]).toEqual([
          path,
          !isSignIn,
          !isSignIn,
        ]);
        expect(schemes).not.toContain('ApiKey');
        const codes = Object.values(operation.responses).map(({ description }) => description);
        expect(codes.join(' ')).not.toMatch(/`(unauthorized|rate_limited)`/);
      }
    }
    for (const path of ['/dashboard/api/oidc/start', '/dashboard/api/oidc/callback']) {
      expect([path, Object.keys(paths[path]?.get?.responses ?? {})]).toEqual([path, ['303', '403', '429', '503']]);
    }
    expect(Object.keys(paths)).toContain('/dashboard/api/session/header');
    expect(paths['/v1/analyze']?.post?.responses['401']?.description).not.toContain('sign_in_required');
  });
});

describe('the built page', () => {
  it('carries the licences of the packages that it holds', () => {
    const licences = readFileSync(builtUrl('dashboard/page/licences.md'), 'utf8');
    for (const name of ['preact', 'uplot', 'zod']) expect(licences).toContain(`## ${name} - `);
  });

  it('is under 150 kB compressed, with what is loaded on demand', () => {
    const folder = builtUrl('dashboard/page/assets/');
    const bytes = readdirSync(folder).map((name) => gzipSync(readFileSync(new URL(name, folder))).length);
    expect(bytes.length).toBeGreaterThan(2);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(150_000);
  });
});
