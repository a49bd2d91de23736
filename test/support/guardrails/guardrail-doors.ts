/** The doors of guardrails as their callers use them: what they send of a text, and what they make of an answer. Contracts from the callers' own code. */
import { createHmac } from 'node:crypto';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { HttpService } from '../http-service.js';

/** What becomes of the text at the caller. `failed`: an error of its own, which lets nothing through. */
export type Fate = 'passed' | 'blocked' | 'masked' | 'failed';

export interface Door {
  readonly url: string;
  readonly bodyOf: (text: string) => object;
  /** Where it sends several. */
  readonly withTexts?: (texts: readonly string[]) => object;
  readonly fateOf: (answer: LightMyRequestResponse) => Fate;
  readonly reasonIn: (answer: LightMyRequestResponse) => string | undefined;
}

const json = (answer: LightMyRequestResponse): Record<string, unknown> => {
  const parsed: unknown = JSON.parse(answer.body);
  if (typeof parsed !== 'object' || parsed === null) throw new Error('no object');
  return parsed as Record<string, unknown>;
};
const isJson = (answer: LightMyRequestResponse): boolean => {
  try {
    json(answer);
    return true;
  } catch {
    return false;
  }
};
const actionIn = (answer: LightMyRequestResponse) =>
  (isJson(answer) ? (json(answer).action as Record<string, unknown> | undefined) : undefined) ?? {};
const messages = (texts: readonly string[]) => texts.map((content) => ({ role: 'user', content }));

/** Of both hooks of agentgateway: it never looks at the status, and tries mask, reject and pass in this order. */
const fateAtAgentgateway = (answer: LightMyRequestResponse): Fate => {
  // Its raw format takes any object without messages for a pass.
  if (!isJson(answer)) return 'failed';
  const { body } = actionIn(answer);
  if (typeof body === 'object') return 'masked';
  return typeof body === 'string' ? 'blocked' : 'passed';
};

/** Of a door for several texts. */
const several = (withTexts: (texts: readonly string[]) => object) => ({
  withTexts,
  bodyOf: (text: string) => withTexts([text]),
});

export type DoorName =
  'LiteLLM' | 'agentgateway, request' | 'agentgateway, response' | 'Coral' | 'Dify, input' | 'Dify, output' | 'Portkey';

export const DOORS: Readonly<Record<DoorName, Door>> = {
  LiteLLM: {
    url: '/beta/litellm_basic_guardrail_api',
    ...several((texts) => ({
      input_type: 'request',
      texts,
      images: null,
      structured_messages: messages(texts),
      request_data: { user_api_key_user_email: 'PLANTED@example.org' },
      request_headers: { host: 'PLANTED' },
    })),
    fateOf(answer) {
      if (answer.statusCode !== 200) return 'failed';
      const { action = 'NONE' } = json(answer);
      return action === 'BLOCKED' ? 'blocked' : action === 'GUARDRAIL_INTERVENED' ? 'masked' : 'passed';
    },
    reasonIn: (answer) => json(answer).blocked_reason as string | undefined,
  },
  'agentgateway, request': {
    url: '/request',
    ...several((texts) => ({ body: { messages: messages(texts) } })),
    fateOf: fateAtAgentgateway,
    reasonIn: (answer) => actionIn(answer).reason as string | undefined,
  },
  'agentgateway, response': {
    url: '/response',
    ...several((texts) => ({ body: { choices: messages(texts).map((message) => ({ message })) } })),
    // What it replaces is blocked, where nothing of it is left.
    fateOf: (answer) =>
      /"content":"(?:Failed|Not judged):/.test(answer.body) ? 'blocked' : fateAtAgentgateway(answer),
    reasonIn: (answer) => /"content":"([^"]+)"/.exec(answer.body)?.[1],
  },
  Coral: {
    url: '/v1/guardrails/coral/KEY_ID',
    bodyOf: (text) => ({
      action: 'NEW',
      comment: { body: text, parentID: null },
      author: { id: 'PLANTED', role: 'COMMENTER' },
      story: { id: 'story', url: 'https://example.org/PLANTED' },
      site: { id: 'site' },
      tenantID: 'tenant',
      tenantDomain: 'example.org',
    }),
    fateOf: (answer) => (answer.statusCode === 200 && json(answer).status !== undefined ? 'blocked' : 'passed'),
    reasonIn: (answer) => json(answer).status as string | undefined,
  },
  'Dify, input': {
    url: '/v1/guardrails/dify',
    bodyOf: (text) => ({
      point: 'app.moderation.input',
      params: { app_id: 'PLANTED', inputs: { topic: 'Trains.', age: 7 }, query: text },
    }),
    fateOf(answer) {
      if (answer.statusCode !== 200) return 'failed';
      const { flagged, action } = json(answer);
      return flagged !== true ? 'passed' : action === 'overridden' ? 'masked' : 'blocked';
    },
    reasonIn: (answer) => json(answer).preset_response as string | undefined,
  },
  'Dify, output': {
    url: '/v1/guardrails/dify',
    bodyOf: (text) => ({ point: 'app.moderation.output', params: { app_id: 'PLANTED', text } }),
    // It catches what its request throws, and shows the text.
    fateOf: (answer) => (answer.statusCode === 200 ? DOORS['Dify, input'].fateOf(answer) : 'passed'),
    reasonIn: (answer) => json(answer).preset_response as string | undefined,
  },
  Portkey: {
    url: '/v1/guardrails/portkey',
    ...several((texts) => ({
      eventType: 'beforeRequestHook',
      requestType: 'chatComplete',
      request: { json: { model: 'gpt', messages: messages(texts) }, text: texts.at(-1), isStreamingRequest: false },
      response: { json: {}, text: '', statusCode: null },
      metadata: { _user: 'PLANTED' },
    })),
    fateOf(answer) {
      // An error of the check counts as passed.
      if (answer.statusCode !== 200) return 'passed';
      const { verdict, transformedData } = json(answer);
      return verdict !== true ? 'blocked' : transformedData === undefined ? 'passed' : 'masked';
    },
    reasonIn: (answer) => (json(answer).data as { reason?: string }).reason,
  },
};

/** As Coral makes it. */
export const SIGNING_SECRET = ['ksec', '0123456789abcdef'.repeat(2)].join('_');
export const coralSignature = (body: string, secret = SIGNING_SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Knocks at a door as its caller does, with what is given in place of what it sends. */
export function knock(
  { app, key, record }: Pick<HttpService, 'app' | 'key' | 'record'>,
  door: Door,
  body: object | string,
  { headers, ...request }: InjectOptions = {},
): Promise<LightMyRequestResponse> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const isSigned = door === DOORS.Coral;
  return app.inject({
    method: 'POST',
    url: door.url.replace('KEY_ID', record.id),
    payload,
    headers: {
      'content-type': 'application/json',
      ...(isSigned ? { 'x-coral-signature': coralSignature(payload) } : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...request,
  });
}
