/** Requests made from the service's own description: for every operation, values that fit its schemas and values that nearly do. */
import fc from 'fast-check';
import { z } from 'zod';

const operationSchema = z.looseObject({
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), schema: z.unknown() })).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) }).optional(),
  responses: z.record(z.string(), z.unknown()),
});
type Operation = z.output<typeof operationSchema>;

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
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
  return fc.oneof(...described.map((each) => requestTo(each, document, keys)));
}

function requestTo({ path, method, operation }: Described, document: ApiDocument, keys: readonly string[]) {
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const queries = fc
    .tuple(
      ...query.map(({ name, schema }) =>
        fc.tuple(fc.constant(name), fc.oneof(valuesOf(schema, document).map(String), fc.string())),
      ),
    )
    .map((pairs) => `?${new URLSearchParams([...pairs]).toString()}`);
  const [content] = Object.values(operation.requestBody?.content ?? {});
  return fc.record({
    method: mostly(fc.constant(method), fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS')),
    url: fc.oneof(
      { weight: 6, arbitrary: fc.constant(path) },
      { weight: 3, arbitrary: queries.map((text) => path + text) },
      { weight: 1, arbitrary: fc.webPath().map((tail) => path + tail) },
    ),
    headers: headersOf(keys),
    body: content === undefined ? fc.constant(undefined) : bodiesOf(content.schema, document),
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
function bodiesOf(schema: unknown, document: ApiDocument): fc.Arbitrary<string | Buffer | undefined> {
  const fitting = valuesOf(schema, document);
  const names = fc.constantFrom(
    'content',
    'metadata',
    'items',
    'input',
    'comment',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '',
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

const schemaSchema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  maxLength: z.int().optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  minItems: z.int().optional(),
});

/** Fewer than the API allows: each is a text to judge. */
const MOST_ITEMS = 4;

/** What says nothing of the value. */
const ANNOTATIONS = new Set(['description', 'title', 'examples', 'default']);

/** Values of a JSON Schema, as far as the document uses it. @throws where it uses more, so that nothing is left out silently */
function valuesOf(given: unknown, document: ApiDocument): fc.Arbitrary<unknown> {
  const schema = schemaSchema.parse(given);
  if (schema.$ref !== undefined)
    return valuesOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''], document);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valuesOf(choice, document)));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type }, document)));
  }
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min: -1, max: 100 });
  if (schema.type === 'number') return fc.double({ min: -1, max: 2, noNaN: true });
  if (schema.type === 'array') {
    // Without `items`, of anything.
    const item = schema.items === undefined ? fc.jsonValue() : valuesOf(schema.items, document);
    return fc.array(item, { minLength: schema.minItems ?? 0, maxLength: MOST_ITEMS });
  }
  if (schema.type === 'string') return texts(schema.maxLength ?? 100);
  if (schema.type === undefined && Object.keys(schema).every((name) => ANNOTATIONS.has(name))) return fc.jsonValue();
  if (schema.type === 'object') {
    if (schema.properties === undefined || Object.keys(schema.properties).length === 0)
      return fc.object({ maxDepth: 3 });
    const members = Object.entries(schema.properties).map(
      ([name, member]) => [name, valuesOf(member, document)] as const,
    );
    return fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [] });
  }
  throw new Error(`the fuzz knows no values of ${JSON.stringify(schema)}`);
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
