/** Requests to every operation of the service's own description: bodies that fit, and bodies that nearly do. */
import fc from 'fast-check';
import { z } from 'zod';

const operationSchema = z.looseObject({
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).optional(),
  requestBody: z.looseObject({}).optional(),
  responses: z.record(z.string(), z.unknown()),
});
type Operation = z.output<typeof operationSchema>;

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});
export type ApiDocument = z.output<typeof documentSchema>;

export function parseApiDocument(json: unknown): ApiDocument {
  return documentSchema.parse(json);
}

export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** The statuses that the document announces for an operation. */
export function announcedStatuses(document: ApiDocument, method: string, path: string): readonly string[] {
  return Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
}

/** Requests to every operation, most of them nearly right: a request that is all wrong is refused at the first check. */
export function requestsOf(document: ApiDocument, keys: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Described => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
  return fc.oneof(...described.map((each) => requestTo(each, keys)));
}

function requestTo({ path, method, operation }: Described, keys: readonly string[]) {
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const value = fc.oneof(fc.constantFrom('true', 'false', '1'), fc.string());
  const queries = fc
    .tuple(...query.map(({ name }) => fc.tuple(fc.constant(name), value)))
    .map((pairs) => `?${new URLSearchParams([...pairs]).toString()}`);
  return fc.record({
    method: mostly(fc.constant(method), fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS')),
    url: fc.oneof(
      { weight: 6, arbitrary: fc.constant(path) },
      { weight: 3, arbitrary: queries.map((text) => path + text) },
      { weight: 1, arbitrary: fc.webPath().map((tail) => path + tail) },
    ),
    headers: headersOf(keys),
    body: operation.requestBody === undefined ? fc.constant(undefined) : bodiesOf(fittingBodyOf(path)),
  });
}

function headersOf(keys: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const name = fc.stringMatching(/^x-[a-z]{1,12}$/);
  const value = fc.stringMatching(/^[\x21-\x7e]{0,40}$/);
  return fc
    .constantFrom(...keys)
    .chain((key) =>
      fc.record(
        {
          'x-api-key': mostly(fc.constant(key), value),
          authorization: mostly(
            mostly(fc.constant(key), fc.constantFrom(...keys)).map((token) => `Bearer ${token}`),
            value,
          ),
          'content-type': mostly(
            fc.constant('application/json'),
            fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'application/xml', '', ';'),
          ),
          'content-encoding': mostly(fc.constant('identity'), fc.constantFrom('gzip', 'br', 'x')),
          'x-request-id': value,
          accept: fc.constantFrom('application/xml', '*/*', 'text/html;q=0.1'),
        },
        { requiredKeys: ['content-type', 'x-api-key', 'authorization'] },
      ),
    )
    .chain((known) => fc.dictionary(name, value, { maxKeys: 4 }).map((others) => ({ ...others, ...known })));
}

/** Bodies that fit; bodies with one member put wrong, added or left out; any JSON; any bytes. */
function bodiesOf(fitting: fc.Arbitrary<object>): fc.Arbitrary<string | Buffer | undefined> {
  const names = fc.constantFrom(
    ...['content', 'metadata', 'items', 'input', 'comment', '', '__proto__', 'constructor', 'prototype', 'toString'],
  );
  const altered = fc
    .tuple(fitting, names, fc.oneof(fc.jsonValue(), deep()))
    .map(
      ([value, name, member]) =>
        `{${[...membersOf(value), `${JSON.stringify(name)}:${JSON.stringify(member)}`].join()}}`,
    );
  const json = fc.oneof(
    { weight: 5, arbitrary: fitting.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: altered },
    { weight: 1, arbitrary: fc.json() },
  );
  const broken = fc.tuple(json, fc.nat(), fc.uint8Array({ maxLength: 4 })).map(([text, at, bytes]) => {
    const cut = at % (text.length + 1);
    return Buffer.concat([Buffer.from(text.slice(0, cut)), bytes, Buffer.from(text.slice(cut))]);
  });
  return fc.oneof(
    { weight: 16, arbitrary: json },
    { weight: 3, arbitrary: broken },
    {
      weight: 1,
      arbitrary: fc.constantFrom<string | undefined>(undefined, '', 'null', '[]', '"', ' '.repeat(300_000)),
    },
  );
}

/** Members as text, so that `__proto__` becomes a member of the JSON and not of this process. */
function membersOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`);
}

function deep(): fc.Arbitrary<unknown> {
  return fc.nat({ max: 3000 }).map((depth) => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
    return value;
  });
}

function mostly<Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** Fewer than the API allows: each is a text to judge. */
const MOST_ITEMS = 4;

/** @throws Error for an operation that is not here, so that none is left out silently */
function fittingBodyOf(path: string): fc.Arbitrary<object> {
  const content = texts(10_000);
  const attributes = (value: object) =>
    fc.dictionary(fc.constantFrom('TOXICITY', 'SPAM', 'FLIRTATION'), fc.constant(value));
  const comment = fc.record({ text: content });
  const message = fc.record({ role: fc.constant('user'), content: fc.option(content) });
  const bodies: Readonly<Record<string, fc.Arbitrary<object>>> = {
    '/v1/analyze': fc.record({ content, metadata: fc.object({ maxDepth: 3 }) }, { requiredKeys: ['content'] }),
    '/v1/analyze/batch': fc.record({
      items: fc.array(fc.record({ content, id: fc.string() }, { requiredKeys: ['content'] }), {
        maxLength: MOST_ITEMS,
      }),
    }),
    '/v1/moderations': fc.record(
      { input: fc.oneof(content, fc.array(content, { maxLength: MOST_ITEMS })), model: fc.string() },
      { requiredKeys: ['input'] },
    ),
    '/v1alpha1/comments:analyze': fc.record(
      {
        comment,
        requestedAttributes: attributes({}),
        languages: fc.array(fc.string()),
        spanAnnotations: fc.boolean(),
        dropUnsupportedAttributes: fc.boolean(),
      },
      { requiredKeys: ['comment', 'requestedAttributes'] },
    ),
    '/v1alpha1/comments:suggestscore': fc.record({
      comment,
      attributeScores: attributes({ summaryScore: { value: 1 } }),
    }),
    '/beta/litellm_basic_guardrail_api': fc.record(
      { texts: fc.array(content, { maxLength: MOST_ITEMS }), images: fc.array(fc.string(), { maxLength: 1 }) },
      { requiredKeys: ['texts'] },
    ),
    '/request': fc.record({ body: fc.record({ messages: fc.array(message, { maxLength: MOST_ITEMS }) }) }),
    '/response': fc.record({
      body: fc.record({ choices: fc.array(fc.record({ message }), { maxLength: MOST_ITEMS }) }),
    }),
    // Not signed: the refusals are what is tried.
    '/v1/guardrails/coral/{keyId}': fc.record({
      action: fc.constantFrom('NEW', 'EDIT'),
      comment: fc.record({ body: content }),
    }),
    '/v1/decisions/{id}/appeals': fc.record({ text: content }, { requiredKeys: [] }),
    '/v1/guardrails/dify': fc.record({
      point: fc.constantFrom('ping', 'app.moderation.input', 'app.moderation.output'),
      params: fc.record({
        inputs: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
        query: content,
        text: content,
      }),
    }),
    '/v1/guardrails/portkey': fc.record({
      eventType: fc.constantFrom('beforeRequestHook', 'afterRequestHook'),
      request: fc.record({
        json: fc.record({ messages: fc.array(message, { maxLength: MOST_ITEMS }), x: fc.jsonValue() }),
      }),
      response: fc.record({
        json: fc.record({ choices: fc.array(fc.record({ message }), { maxLength: MOST_ITEMS }) }),
      }),
    }),
  };
  const body = bodies[path];
  if (body === undefined) throw new Error(`the fuzz knows no body of ${path}`);
  return body;
}

/** Mostly short; now and then as long as allowed, and a little longer. */
function texts(maxLength: number): fc.Arbitrary<string> {
  const piece = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
  return fc.oneof(
    { weight: 30, arbitrary: fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 200) }) },
    { weight: 10, arbitrary: piece },
    {
      weight: 1,
      arbitrary: fc
        .tuple(piece, fc.integer({ min: -2, max: 2 }))
        .map(([body, more]) => body.repeat(maxLength).slice(0, maxLength + more)),
    },
  );
}
