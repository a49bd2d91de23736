/** One way into every error of the table, and what all of them must look like. The other files go into detail. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERROR_TABLE, type ErrorCode } from '../../src/errors.js';
import { MAX_BODY_BYTES } from '../../src/http/routes/schemas.js';
import type { Verdict } from '../../src/moderation/verdict.js';
import { adminRequest, signedIn } from '../support/dashboard/admin-client.js';
import { deferred } from '../support/deferred.js';
import { createFailingAnalyzer, createFakeAnalyzer, HARMLESS, queueFull } from '../support/fake-analyzer.js';
import { ADMIN_PASSWORD, createHttpService } from '../support/http-service.js';
import { expectProblem, type AnswerWithStatus } from '../support/problem.js';
import { signInSettingsOf } from '../support/dashboard/oidc.js';
import { openConnection, requestText, sendBytes } from '../support/raw-http.js';

const BODY = { content: 'Good morning.' };

/** Nobody listens there. */
const NO_PROVIDER = signInSettingsOf(
  { issuer: 'http://localhost:1', clientId: 'parapet', clientSecret: 'none' },
  'http://localhost:2',
);

/** A code of ERROR_TABLE that is not here fails the type check. */
const WAYS_IN: Record<ErrorCode, () => Promise<AnswerWithStatus>> = {
  malformed_json: async () => (await createHttpService()).analyze('{"content": "Good mor'),
  invalid_body: async () => (await createHttpService()).analyze({ content: 7 }),
  content_too_long: async () => (await createHttpService()).analyze({ content: 'a'.repeat(10_001) }),
  invalid_query: async () => (await createHttpService()).analyze(BODY, { url: '/v1/analyze?details=yes' }),
  bad_request: async () => sendBytes(await (await createHttpService()).listen(), 'This is not HTTP.\r\n\r\n'),
  unauthorized: async () => (await createHttpService()).analyze(BODY, { headers: { 'x-api-key': 'sk_live_wrong' } }),
  not_found: async () => (await createHttpService()).app.inject('/v2/analyze'),
  method_not_allowed: async () => (await createHttpService()).app.inject('/v1/analyze'),
  request_timeout: async () => {
    const { answer, socket } = openConnection(await (await createHttpService({ requestTimeoutMs: 50 })).listen());
    socket.write(requestText('POST', '/v1/analyze', { 'Content-Length': '100' }).slice(0, -2));
    return answer();
  },
  body_too_large: async () => (await createHttpService()).analyze(' '.repeat(MAX_BODY_BYTES + 1)),
  unsupported_media_type: async () =>
    (await createHttpService()).analyze(BODY, { headers: { 'content-type': 'text/plain' } }),
  rate_limited: async () => {
    const { analyze } = await createHttpService({ rateLimitPerMinute: 1 });
    await analyze(BODY);
    return analyze(BODY);
  },
  too_many_failures: async () => {
    const { analyze } = await createHttpService({ failedKeysPerMinute: 1 });
    const headers = { 'x-api-key': 'sk_live_wrong' };
    await analyze(BODY, { headers });
    return analyze(BODY, { headers });
  },
  headers_too_large: async () =>
    sendBytes(
      await (await createHttpService()).listen(),
      requestText('GET', '/v1/health', { 'X-Much': 'a'.repeat(20_000) }),
    ),
  internal_error: async () =>
    (await createHttpService({ analyzer: createFailingAnalyzer(new Error('a fault')) })).analyze(BODY),
  model_not_ready: async () => (await createHttpService({ analyzer: null })).analyze(BODY),
  answer_timeout: async () =>
    (
      await createHttpService({ answerTimeoutMs: 20, analyzer: createFakeAnalyzer(() => deferred<Verdict>().promise) })
    ).analyze(BODY),
  queue_full: async () => (await createHttpService({ analyzer: createFailingAnalyzer(queueFull()) })).analyze(BODY),
  shutting_down: async () => (await createHttpService({ isStopping: () => true })).analyze(BODY),
  keys_unavailable: async () => {
    const { analyze, keysFile } = await createHttpService();
    writeFileSync(keysFile, '{"version": 1, "keys": [');
    return analyze(BODY);
  },
  policies_unavailable: async () => {
    const { analyze, keysFile } = await createHttpService();
    writeFileSync(join(dirname(keysFile), 'policies.json'), '{"format": 1, "projects": {');
    return analyze(BODY);
  },
  records_unavailable: async () => {
    const { app, keysFile } = await createHttpService({ dashboard: {} });
    mkdirSync(join(dirname(keysFile), 'parapet.db'));
    return adminRequest(app, 'POST', '/session', { payload: { password: ADMIN_PASSWORD } });
  },
  role_too_low: async () => {
    const { app, records } = await createHttpService({ dashboard: {} });
    const client = await signedIn(app);
    await records.change(async (ask) => {
      await ask(
        "insert into parapet.account (id, name, role, created_at, created_by) values ('acc', 'ann', 'viewer', 1, 'owner')",
      );
      await ask("update parapet.session set account_id = 'acc'");
    });
    return client.send('POST', '/projects', { name: 'forum' });
  },
  sign_in_required: async () => (await createHttpService({ dashboard: {} })).app.inject('/dashboard/api/keys'),
  wrong_password: async () => {
    const { app } = await createHttpService({ dashboard: {} });
    return adminRequest(app, 'POST', '/session', { payload: { password: 'not this one' } });
  },
  foreign_origin: async () => {
    const { app } = await createHttpService({ dashboard: {} });
    const headers = { 'sec-fetch-site': 'cross-site' };
    return adminRequest(app, 'POST', '/session', { headers, payload: { password: 'x' } });
  },
  sign_in_refused: async () => {
    const { app } = await createHttpService({ dashboard: { signInSettings: NO_PROVIDER } });
    return adminRequest(app, 'GET', '/oidc/callback?state=x');
  },
  provider_unavailable: async () => {
    const { app } = await createHttpService({ dashboard: { signInSettings: NO_PROVIDER } });
    return adminRequest(app, 'GET', '/oidc/start');
  },
  conflict: async () => {
    const { app } = await createHttpService({ dashboard: {} });
    return (await signedIn(app)).send('POST', '/projects', { name: 'shop' });
  },
  too_many_sign_ins: async () => {
    const { app } = await createHttpService({ dashboard: {} });
    const attempts = Array.from({ length: 11 }, () =>
      adminRequest(app, 'POST', '/session', { payload: { password: 'not this one' } }),
    );
    const answers = await Promise.all(attempts);
    const last = answers.at(-1);
    if (last === undefined) throw new Error('no answer');
    return last;
  },
};

/** RFC 9110, section 11.6.1: every 401 says how to authenticate. */
const CHALLENGES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'ApiKey realm="parapet", Bearer realm="parapet"',
  sign_in_required: 'Session realm="parapet dashboard", Bearer realm="parapet dashboard"',
  wrong_password: 'Session realm="parapet dashboard", Bearer realm="parapet dashboard"',
};

describe('errors', () => {
  it.each(Object.keys(ERROR_TABLE) as ErrorCode[])(
    '%s is answered as the table and docs/errors.md say',
    async (code) => {
      const answer = await WAYS_IN[code]();
      expectProblem(answer, code);
      expect(answer.headers['www-authenticate']).toBe(CHALLENGES[code]);
    },
  );

  it('answers health checks while it is shutting down', async () => {
    const { app } = await createHttpService({ isStopping: () => true, health: 'unhealthy' });
    expect((await app.inject('/v1/health')).json()).toMatchObject({ status: 'unhealthy' });
  });

  it.each([
    ['an error that quotes the text', new Error('cannot read: PLANTED text'), 'Error'],
    ['an error whose message looks like a stack', new TypeError('x\n    at PLANTED (text.ts:1:1)'), 'TypeError'],
    [
      'an error whose message was changed',
      Object.assign(new Error('PLANTED\n    at PLANTED'), { message: 'x' }),
      'Error',
    ],
    ['a string', 'PLANTED', 'string'],
    ['an object', { message: 'PLANTED' }, 'object'],
    ['null', null, 'object'],
    ['nothing', undefined, 'undefined'],
  ])('shows and logs nothing of %s that the analyzer throws, but its kind', async (_what, thrown, name) => {
    const service = await createHttpService({ analyzer: createFailingAnalyzer(thrown) });
    const answer = await service.analyze({ content: 'PLANTED' });
    const { requestId } = expectProblem(answer, 'internal_error');
    expect(answer.body + service.log()).not.toContain('PLANTED');
    const [line] = service
      .log()
      .split('\n')
      .filter((each) => each.includes('"internal error"'));
    expect(JSON.parse(line ?? '')).toMatchObject({ requestId, fault: { name } });
  });

  it('tells a caller once and for all that the verdict took too long: a late one goes nowhere, and into no log', async () => {
    const verdict = deferred<Verdict>();
    const judged = deferred<true>();
    const analyzer = createFakeAnalyzer(async () => {
      const late = await verdict.promise;
      judged.resolve(true);
      return late;
    });
    const service = await createHttpService({ analyzer, answerTimeoutMs: 20 });
    const answer = await service.analyze({ content: 'PLANTED' }, { url: '/v1/analyze?x=PLANTED' });
    expectProblem(answer, 'answer_timeout');
    verdict.resolve(HARMLESS);
    await judged.promise;
    // What the framework says of a late answer, it says before the next one.
    expect((await service.app.inject('/v1/health')).statusCode).toBe(200);
    expect(service.log()).not.toContain('FST_ERR_REP_ALREADY_SENT');
    expect(service.log()).not.toContain('PLANTED');
    expect(service.log().match(/"status":503/g)).toHaveLength(1);
  });
});
