/** Validates requests with their zod schemas and words the complaints for the caller, without quoting what was sent. */
import type { FastifySchemaCompiler, FastifyTypeProvider } from 'fastify';
import { z } from 'zod';
import { ServiceError, type FieldError } from '../../errors.js';
import { otherNameOfContent } from '../routes/schemas.js';

/** What is answered may be of what nobody may change. */
export type Answer<Value> = unknown extends Value ? Value : { readonly [Member in keyof Value]: Answer<Value[Member]> };

/** Has the types of requests and answers come from the zod schemas of their route. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  readonly serializer: this['schema'] extends z.ZodType ? Answer<z.output<this['schema']>> : unknown;
}

/** What another thread has read against the schema of its route. */
const valid = new WeakSet();

export function noteValid<Value extends object>(value: Value): Value {
  valid.add(value);
  return value;
}

export const validateWithZod: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  if (!(schema instanceof z.ZodType))
    throw new Error(`the schema of a route's ${httpPart ?? 'part'} is not a zod schema`);
  return (data: unknown) => {
    if (typeof data === 'object' && data !== null && valid.has(data)) return { value: data };
    const parsed = readWith(schema, data);
    return parsed.success ? { value: parsed.data } : { error: complaint(parsed.error, data, httpPart) };
  };
};

/** In the place of Fastify's own compilers of schemas, which take as long to load as all else that it loads. */
export const NO_COMPILERS = { compilersFactory: { buildValidator: notBuilt, buildSerializer: notBuilt } };

function notBuilt(): never {
  throw new Error('routes with schemas need the compilers that their server sets');
}

/** What is said of a value of another type, where its schema has no words of its own. */
const TYPES: Readonly<Record<string, string>> = {
  object: 'must be an object',
  record: 'must be an object',
  array: 'must be an array',
  string: 'must be a string',
  number: 'must be a number',
  boolean: 'must be true or false',
};

/** Reads what a caller sent, so that what is wrong with it is told in our words. */
export function readWith<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  return schema.safeParse(value, {
    error: (issue) => (issue.code === 'invalid_type' ? TYPES[issue.expected] : undefined),
  });
}

/** A body can break a rule a hundred thousand times. */
const MOST_COMPLAINTS = 100;

/** @param httpPart what the value is: the body, the query string, an item */
export function complaint(error: z.ZodError, value: unknown, httpPart = 'body'): ServiceError {
  const errors = error.issues.slice(0, MOST_COMPLAINTS).map((issue): FieldError => complaintOf(issue, value));
  const sentences = errors
    .map(({ path, message }) => `${path === '' ? `The ${httpPart}` : path} ${message}`)
    .join('; ');
  if (httpPart === 'querystring') return new ServiceError('invalid_query', `${sentences}.`, { errors });
  const tooLong = error.issues.some((issue) => issue.code === 'custom' && issue.params?.code === 'content_too_long');
  return new ServiceError(tooLong ? 'content_too_long' : 'invalid_body', `${sentences}.`, { errors });
}

/** Names of the list of those known elsewhere are repeated, no others: they could be a text. */
function complaintOf(issue: z.core.$ZodIssue, value: unknown): FieldError {
  const path = issue.path.join('.');
  const otherName = path === 'content' ? otherNameOfContent(value) : undefined;
  const hint = otherName === undefined ? '' : `: the field is called "content", not "${otherName}"`;
  return { path, message: `${issue.message}${hint}` };
}
