/** Promises of the doors of guardrails: one verdict in the words of each caller, masks, and what is no text. */
import { describe, expect, it } from 'vitest';
import type { PolicyFields } from '../../../src/policies/policy-schema.js';
import { createFakeAnalyzer, RUSSIAN, UNREAD } from '../../support/fake-analyzer.js';
import {
  FINE,
  INSULTING,
  THREAT,
  NAMES,
  MANY,
  allOf,
  serviceWith,
  fatesOf,
} from '../../support/guardrails/guarded-service.js';
import { DOORS, knock, SIGNING_SECRET, type DoorName } from '../../support/guardrails/guardrail-doors.js';

describe('a door', () => {
  it.each(NAMES)('of %s lets a harmless text through, and blocks another with the reason first', async (name) => {
    const service = await serviceWith();
    const { bodyOf, fateOf, reasonIn } = DOORS[name];
    expect(fateOf(await knock(service, DOORS[name], bodyOf(FINE)))).toBe('passed');
    const blocked = await knock(service, DOORS[name], bodyOf(THREAT));
    expect([blocked.statusCode, fateOf(blocked)]).toEqual([200, 'blocked']);
    const { description } = (await service.analyze({ content: THREAT })).json<{ description: string }>();
    expect(reasonIn(blocked)).toBe(name === 'Coral' ? 'SYSTEM_WITHHELD' : description);
    expect(blocked.body).not.toContain('hurt you');
  });

  it.each(MANY)('of %s judges all texts, each counted against the rate limit', async (name) => {
    const service = await serviceWith({ rateLimitPerMinute: 5 });
    const { withTexts, fateOf } = DOORS[name];
    const answer = await knock(service, DOORS[name], withTexts?.([FINE, '', THREAT, FINE]) ?? {});
    expect(fateOf(answer)).toBe('blocked');
    expect(answer.headers.ratelimit).toMatch(/;r=2;/);
  });

  it('takes the key of another project for that project, with its policy', async () => {
    const service = await serviceWith({}, { passMaxScore: 10, categories: { threat: { action: 'report' } } });
    const other = await service.createKey({ project: 'other' });
    await service.store.setSigningSecret(other.record.id, SIGNING_SECRET);
    expect(await fatesOf(service, (name) => DOORS[name].bodyOf(THREAT))).toEqual(allOf('passed'));
    expect(await fatesOf({ ...service, ...other }, (name) => DOORS[name].bodyOf(THREAT))).toEqual(allOf('blocked'));
  });
});

describe('what a policy masks', () => {
  const MASKING: PolicyFields = { categories: { insult: { action: 'mask' } } };
  const TEXT = `${FINE} ${INSULTING} See you there.`;
  const MASKED = `${FINE} [masked] See you there.`;

  it('comes back masked where a caller can take it, and is blocked where none can', async () => {
    const service = await serviceWith({}, MASKING);
    expect(await fatesOf(service, (name) => DOORS[name].bodyOf(TEXT))).toEqual({
      ...allOf('masked'),
      Coral: 'blocked',
    });
    const answerOf = async (name: DoorName, body: object): Promise<unknown> =>
      (await knock(service, DOORS[name], body)).json();
    const texts = DOORS.LiteLLM.withTexts?.([FINE, TEXT]) ?? {};
    expect(await answerOf('LiteLLM', texts)).toEqual({ action: 'GUARDRAIL_INTERVENED', texts: [FINE, MASKED] });
    const messages = [
      { role: 'system', content: FINE },
      { role: 'user', content: TEXT },
      { role: 'assistant', content: null },
    ];
    expect(await answerOf('agentgateway, request', { body: { messages } })).toEqual({
      action: {
        body: { messages: [messages[0], { role: 'user', content: MASKED }, { role: 'assistant', content: '' }] },
        reason: 'Passages were replaced.',
      },
    });
    const params = { inputs: { topic: TEXT, age: 7 }, query: TEXT };
    expect(await answerOf('Dify, input', { point: 'app.moderation.input', params })).toEqual({
      flagged: true,
      action: 'overridden',
      inputs: { topic: MASKED, age: 7 },
      query: MASKED,
    });
    expect(await answerOf('Dify, output', DOORS['Dify, output'].bodyOf(TEXT))).toEqual({
      flagged: true,
      action: 'overridden',
      text: MASKED,
    });
  });

  it('is held back by LiteLLM from a stream until its sentence is whole', async () => {
    const service = await serviceWith({}, MASKING);
    const stream = async (text: string): Promise<unknown> =>
      (await knock(service, DOORS.LiteLLM, { input_type: 'response', texts: [text, ''] })).json();
    expect(await stream(`${FINE} You are an 😀`)).toEqual({ action: 'NONE', stream_holdback_chars: [12, 0] });
    expect(await stream(`${FINE} ${INSULTING}`)).toEqual({
      action: 'GUARDRAIL_INTERVENED',
      texts: [`${FINE} [masked]`, ''],
      stream_holdback_chars: [8, 0],
    });
  });

  it('is replaced in every part of what Portkey sends, and all else comes back as it was', async () => {
    const service = await serviceWith({}, MASKING);
    const send = async (body: object): Promise<unknown> =>
      (await knock(service, DOORS.Portkey, body)).json<{ transformedData?: unknown }>().transformedData;
    const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }];
    const bodyWith = (text: string) => ({
      model: 'gpt',
      tools,
      messages: [
        { role: 'system', content: text },
        { role: 'user', name: 'ann', content: [{ type: 'text', text }] },
      ],
      prompt: ['Hello.', text],
    });
    const request = { json: bodyWith(TEXT) };
    expect(await send({ eventType: 'beforeRequestHook', request })).toEqual({ request: { json: bodyWith(MASKED) } });
    const answerWith = (text: string) => ({
      id: 'a',
      choices: [
        { index: 0, message: { role: 'assistant', content: text } },
        { index: 1, text },
      ],
    });
    const response = { json: answerWith(TEXT), text: TEXT, statusCode: 200 };
    expect(await send({ eventType: 'afterRequestHook', request, response })).toEqual({
      response: { json: answerWith(MASKED) },
    });
  });

  it('is blocked where something else fails the text, also what is left of it', async () => {
    const alsoThreat = await serviceWith({}, MASKING);
    const names = NAMES.filter((name) => name !== 'agentgateway, response');
    const both = `${INSULTING} ${THREAT}`;
    expect(await fatesOf(alsoThreat, (name) => DOORS[name].bodyOf(both), names)).toEqual(allOf('blocked', names));
    const reported: PolicyFields = { categories: { insult: { action: 'mask' }, threat: { action: 'report' } } };
    const scoreIsLeft = await serviceWith({}, reported);
    expect(await fatesOf(scoreIsLeft, (name) => DOORS[name].bodyOf(both), names)).toEqual(allOf('blocked', names));
  });

  it('fails where nobody masks', async () => {
    const service = await serviceWith({}, { passMaxScore: 10, categories: { insult: { action: 'mask' } } });
    expect((await service.analyze({ content: TEXT })).json()).toMatchObject({
      passed: false,
      description: expect.stringMatching(/^Failed: insult, /) as string,
    });
  });
});

describe('what cannot be read', () => {
  const IMAGES: Partial<Record<DoorName, object>> = {
    LiteLLM: { texts: [FINE], images: ['https://example.org/a.png'] },
    'Dify, input': { point: 'app.moderation.input', params: { inputs: { photo: { type: 'image' } }, query: FINE } },
    Portkey: {
      eventType: 'beforeRequestHook',
      request: { json: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] } },
    },
  };
  const names = Object.keys(IMAGES) as DoorName[];

  it('an image is not called safe: it is blocked, and told as not judged', async () => {
    const service = await serviceWith();
    for (const name of names) {
      const answer = await knock(service, DOORS[name], IMAGES[name] ?? {});
      expect([name, DOORS[name].fateOf(answer)]).toEqual([name, 'blocked']);
      expect(DOORS[name].reasonIn(answer)).toMatch(/^Not judged: (images|inputs that are no texts)/);
    }
  });

  it('an image passes where the policy lets through what cannot be read, and the answer says that nobody looked', async () => {
    const service = await serviceWith({}, { unreadable: 'pass' });
    expect(await fatesOf(service, (name) => IMAGES[name] ?? {}, names)).toEqual(allOf('passed', names));
    expect((await knock(service, DOORS.LiteLLM, IMAGES.LiteLLM ?? {})).json()).toEqual({
      action: 'NONE',
      not_judged: 'images',
    });
    expect((await knock(service, DOORS.Portkey, IMAGES.Portkey ?? {})).body).toContain('Not judged: images');
  });

  it('a text in unknown letters is blocked; at Coral it is for a moderator, without a flag', async () => {
    const service = await serviceWith({ analyzer: createFakeAnalyzer(() => UNREAD) });
    expect(await fatesOf(service, (name) => DOORS[name].bodyOf(RUSSIAN))).toEqual(allOf('blocked'));
    expect((await knock(service, DOORS.Coral, DOORS.Coral.bodyOf(RUSSIAN))).json()).toEqual({
      actions: [],
      status: 'PREMOD',
    });
  });
});
