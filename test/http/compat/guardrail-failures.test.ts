/** Promises of the doors of guardrails about what cannot be judged, and who is let in: no caller takes it for harmless. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors.js';
import { createFailingAnalyzer, createFakeAnalyzer, HARMLESS, INSULT, queueFull } from '../../support/fake-analyzer.js';
import { FINE, NAMES, MANY, allOf, serviceWith, fatesOf } from '../../support/guardrails/guarded-service.js';
import {
  coralSignature,
  DOORS,
  knock,
  SIGNING_SECRET,
  type DoorName,
  type Fate,
} from '../../support/guardrails/guardrail-doors.js';
import type { HttpService, HttpServiceOptions } from '../../support/http-service.js';
import { expectProblem } from '../../support/problem.js';

describe('while the service cannot judge', () => {
  const timeout = () => new ServiceError('answer_timeout', 'Too late.', { retryAfterSeconds: 5 });
  const STATES: [string, HttpServiceOptions, number][] = [
    ['starts', { analyzer: null }, 503],
    ['is full', { analyzer: createFailingAnalyzer(queueFull()) }, 503],
    ['is too late', { analyzer: createFailingAnalyzer(timeout()) }, 503],
    ['is shutting down', { isStopping: () => true }, 503],
    ['is at fault', { analyzer: createFailingAnalyzer(new Error('PLANTED')) }, 500],
  ];
  const HELD: Record<DoorName, [number | 'own', Fate]> = {
    LiteLLM: ['own', 'failed'],
    'agentgateway, request': ['own', 'failed'],
    'agentgateway, response': ['own', 'failed'],
    Coral: [200, 'blocked'],
    'Dify, input': [200, 'blocked'],
    'Dify, output': [200, 'blocked'],
    Portkey: [200, 'blocked'],
  };

  it.each(STATES)('no caller lets a text through: the service %s', async (_state, options, own) => {
    const service = await serviceWith(options);
    for (const name of NAMES) {
      const answer = await knock(service, DOORS[name], DOORS[name].bodyOf(FINE));
      const [status, fate] = HELD[name];
      expect([name, answer.statusCode, DOORS[name].fateOf(answer)]).toEqual([
        name,
        status === 'own' ? own : status,
        fate,
      ]);
    }
    expect(service.log()).not.toContain('PLANTED');
  });

  it('nor at the rate limit of the key, nor while its keys or policies cannot be read', async () => {
    const service = await serviceWith({ rateLimitPerMinute: 1 });
    const held = Object.fromEntries(NAMES.map((name) => [name, HELD[name][1]]));
    await service.analyze({ content: FINE });
    expect(await fatesOf(service, (name) => DOORS[name].bodyOf(FINE))).toEqual(held);
    for (const damaged of ['keys.json', 'policies.json']) {
      const faulty = await serviceWith();
      writeFileSync(join(dirname(faulty.keysFile), damaged), '{');
      expect(await fatesOf(faulty, (name) => DOORS[name].bodyOf(FINE))).toEqual(held);
    }
  });

  it('answers Portkey before it stops waiting', async () => {
    const service = await serviceWith({ analyzer: createFakeAnalyzer(() => new Promise(() => undefined)) });
    const begun = performance.now();
    const answer = await knock(service, DOORS.Portkey, DOORS.Portkey.bodyOf(FINE));
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(answer.json()).toMatchObject({ verdict: false, problem: { code: 'answer_timeout' } });
  });

  it('counts and logs the problem by its code, whatever status its caller gets', async () => {
    const service = await serviceWith({ analyzer: null });
    await knock(service, DOORS.Coral, DOORS.Coral.bodyOf(FINE));
    expect(await service.metricsText()).toContain('parapet_problems_total{code="model_not_ready"} 1');
    expect(service.log()).toContain('"status":200,"code":"model_not_ready"');
  });
});

describe('the signature of Coral', () => {
  const body = JSON.stringify(DOORS.Coral.bodyOf(FINE));
  const post = (service: HttpService, header: string | undefined, payload = body, id = service.record.id) =>
    service.app.inject({
      method: 'POST',
      url: DOORS.Coral.url.replace('KEY_ID', id),
      payload,
      headers: { 'content-type': 'application/json', ...(header !== undefined && { 'x-coral-signature': header }) },
    });

  it('is one of those in the header, whichever, of the very bytes that came, large ones as well', async () => {
    const service = await serviceWith();
    const right = coralSignature(body);
    const wrong = coralSignature(body, `${SIGNING_SECRET}x`);
    for (const header of [
      right,
      `${wrong},${right}`,
      `${right}, ${wrong}`,
      right.replace(/[a-f]/g, (hex) => hex.toUpperCase()),
    ]) {
      expect((await post(service, header)).json()).toEqual({ actions: [] });
    }
    const large = JSON.stringify({ ...DOORS.Coral.bodyOf(FINE), more: 'x'.repeat(100_000) });
    expect((await post(service, coralSignature(large), large)).json()).toEqual({ actions: [] });
    expect((await post(service, coralSignature('{'), '{')).json()).toMatchObject({
      problem: { code: 'malformed_json' },
    });
  });

  it('is refused where it is of another body, secret or key, and before anything is made of the body', async () => {
    const service = await serviceWith();
    const other = await service.createKey({ project: 'other' });
    await service.store.setSigningSecret(other.record.id, `${SIGNING_SECRET}x`);
    const unsigned = await service.createKey();
    const right = coralSignature(body);
    const refused = [
      await post(service, undefined),
      await post(service, ''),
      await post(service, right.replace('sha256=', '')),
      await post(service, `${right}00`),
      await post(service, coralSignature(`${body} `)),
      await post(service, coralSignature(body, `${SIGNING_SECRET}x`)),
      await post(service, right, body, other.record.id),
      await post(service, right, body, unsigned.record.id),
      await post(service, right, body, 'key_nobody'),
      await post(service, right, '{'),
    ];
    for (const answer of refused) expectProblem(answer, 'unauthorized');
    const metrics = await service.metricsText();
    expect(metrics).toContain('parapet_key_refusals_total{reason="wrong_signature"} 8');
    expect(metrics).toContain('parapet_key_refusals_total{reason="unknown"} 2');
    expect((await post(service, right, 'x'.repeat(300_000))).json()).toMatchObject({ status: 'PREMOD' });
  });

  it('is not waited for where a body comes in pieces without end', async () => {
    const service = await serviceWith();
    const url = `http://127.0.0.1:${await service.listen()}${DOORS.Coral.url.replace('KEY_ID', service.record.id)}`;
    const pieces = Readable.from(Array<string>(64).fill('x'.repeat(64 * 1024)));
    const outgoing = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
    // What it goes on sending after the answer.
    pieces.pipe(outgoing.on('error', () => undefined));
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(JSON.parse(await text(answer))).toMatchObject({ status: 'PREMOD', problem: { code: 'body_too_large' } });
  });
});

describe('bad input', () => {
  const LONG = 'x'.repeat(10_001);

  it('of 10,001 characters is not judged, and told so in the words of each caller', async () => {
    const service = await serviceWith({ analyzer: createFakeAnalyzer(() => HARMLESS) });
    for (const name of NAMES) {
      const answer = await knock(service, DOORS[name], DOORS[name].bodyOf(LONG));
      expect([name, answer.statusCode, DOORS[name].fateOf(answer)]).toEqual([name, 200, 'blocked']);
      const reason = name === 'Coral' ? 'PREMOD' : 'Not judged: a text of more than 10000 characters.';
      expect(DOORS[name].reasonIn(answer)).toBe(reason);
    }
  });

  it('of ten thousand messages is refused whole, and a thousand are judged', async () => {
    const judging = createFakeAnalyzer(() => HARMLESS);
    const service = await serviceWith({ analyzer: judging });
    const bodyOf = (count: number) => (name: DoorName) =>
      DOORS[name].withTexts?.(Array<string>(count).fill('hi')) ?? {};
    const fates = await fatesOf(service, bodyOf(10_000), MANY);
    expect(Object.values(fates)).not.toContain('passed');
    expect(judging.texts).toEqual([]);
    expect(await fatesOf(service, bodyOf(1000), MANY)).toEqual(allOf('passed', MANY));
    expect(judging.texts).toHaveLength(1000 * MANY.length);
  });

  it.each<[string, (name: DoorName) => object | string]>([
    ['no JSON', () => '{'],
    ['an array', () => []],
    [
      'numbers for texts',
      (name) => JSON.parse(JSON.stringify(DOORS[name].bodyOf('TEXT')).replaceAll('"TEXT"', '7')) as object,
    ],
    ['more than 4 MiB', (name) => DOORS[name].bodyOf('x'.repeat(4 * 1024 * 1024 + 1))],
    [
      'nested very deeply',
      (name) =>
        JSON.stringify(DOORS[name].bodyOf('TEXT')).replaceAll('"TEXT"', `${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    ],
  ])('that is %s passes nowhere, and is an error of the caller', async (_what, bodyOf) => {
    const judging = createFakeAnalyzer(() => HARMLESS);
    const service = await serviceWith({ analyzer: judging });
    for (const name of NAMES) {
      const answer = await knock(service, DOORS[name], bodyOf(name));
      expect([name, DOORS[name].fateOf(answer)]).not.toEqual([name, 'passed']);
      expect(answer.body).not.toContain('internal_error');
    }
    expect(judging.texts).toEqual([]);
  });

  it.each<[DoorName, object, string]>([
    ['LiteLLM', { input_type: 'both', texts: [FINE] }, 'input_type must be "request" or "response".'],
    ['LiteLLM', { texts: [null] }, 'texts.0 must be a string.'],
    ['agentgateway, request', { messages: [{ role: 'user', content: FINE }] }, 'body must be an object.'],
    ['Coral', { action: 'DELETE', comment: { body: FINE } }, 'action must be one of: NEW, EDIT.'],
    ['Coral', { action: 'NEW', comment: { body: null } }, 'comment.body must be a string.'],
    [
      'Dify, input',
      { point: 'app.external_data_tool.query' },
      'point must be one of: ping, app.moderation.input, app.moderation.output.',
    ],
    ['Dify, output', { point: 'app.moderation.output', params: { text: null } }, 'params.text must be a string.'],
    ['Portkey', { eventType: 'sometime' }, 'eventType must be one of: beforeRequestHook, afterRequestHook.'],
    [
      'Portkey',
      { eventType: 'beforeRequestHook', request: { json: null, text: null } },
      'request has no text of a known form.',
    ],
  ])('of %s that it does not know is told: %j', async (name, body, complaint) => {
    const service = await serviceWith();
    const answer = await knock(service, DOORS[name], body);
    expect(DOORS[name].fateOf(answer)).not.toBe('passed');
    expect(answer.body).toContain(complaint.replaceAll('"', name.startsWith('agent') ? '"' : '\\"'));
  });

  it('without texts there is nothing to judge, and nothing in the way', async () => {
    const service = await serviceWith();
    expect(await fatesOf(service, () => ({ texts: null, images: null }), ['LiteLLM'])).toEqual({ LiteLLM: 'passed' });
    expect((await knock(service, DOORS['Dify, input'], { point: 'ping' })).json()).toEqual({ result: 'pong' });
  });

  it('with a key that does not count gets 401 at every door, and nothing is judged', async () => {
    const service = await serviceWith();
    await service.store.revoke(service.record.id);
    for (const name of NAMES) {
      const answer = await knock(service, DOORS[name], DOORS[name].bodyOf(FINE));
      expect([name, answer.statusCode]).toEqual([name, 401]);
      expect(answer.headers['www-authenticate']).toBeDefined();
      if (!name.startsWith('agentgateway')) expectProblem(answer, 'unauthorized');
    }
  });

  it('and all else leaves nothing in logs, metrics and errors', async () => {
    const service = await serviceWith({ analyzer: createFakeAnalyzer(() => INSULT) });
    const answers: string[] = [];
    for (const name of NAMES) {
      for (const body of [DOORS[name].bodyOf('PLANTED'), DOORS[name].bodyOf('PLANTED'.repeat(2000)), '{"PLANTED']) {
        answers.push((await knock(service, DOORS[name], body)).body);
      }
    }
    const everything = [answers.join('\n'), service.log(), await service.metricsText()].join('\n');
    expect(service.log()).toContain('"route":"/v1/guardrails/coral/:keyId"');
    for (const secret of ['PLANTED', SIGNING_SECRET, service.key]) expect(everything).not.toContain(secret);
  });
});
