/** Describes the API from the zod schemas of its routes: OpenAPI at /openapi.json, a page to read and try it at /docs. */
import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { decisionSchema } from '../decisions/written-decision.js';
import { ERROR_TABLE, type ErrorCode } from '../errors.js';
import { batchBody, batchRequest, batchResponse } from './routes/batch-schemas.js';
import { choicesBody, choicesResponse, promptBody, promptResponse } from './compat/guardrails/agentgateway-route.js';
import { coralBody, coralResponse } from './compat/guardrails/coral-route.js';
import { difyBody, difyResponse } from './compat/guardrails/dify-route.js';
import { liteLlmBody, liteLlmResponse } from './compat/guardrails/litellm-route.js';
import { portkeyBody, portkeyResponse } from './compat/guardrails/portkey-route.js';
import { moderationBody, moderationResponse, openAiErrorResponse } from './compat/openai-schemas.js';
import {
  analyzeCommentBody,
  analyzeCommentResponse,
  perspectiveErrorResponse,
  suggestScoreBody,
  suggestScoreResponse,
} from './compat/perspective-schemas.js';
import { decisionListResponse, decisionsDeletedResponse } from './routes/decision-schemas.js';
import { reviewOutcomeSchema } from '../reviews/review-outcome.js';
import { appealBody, appealResponse, outcomesResponse } from './routes/review-schemas.js';
import { registerDocsPage } from './routes/pages.js';
import { analyzeBody, analyzeResponse, detailsSchema, healthResponse, problemResponse } from './routes/schemas.js';

/** What other routes than those of this folder add to the description. */
export interface ApiExtension {
  readonly tag: { readonly name: string; readonly description: string };
  readonly securitySchemes: Readonly<
    Record<
      string,
      | { type: 'apiKey'; in: 'cookie' | 'header'; name: string }
      | { type: 'http'; scheme: 'bearer'; description: string }
    >
  >;
  readonly requestShapes: Readonly<Record<string, z.ZodType>>;
  readonly responseShapes: Readonly<Record<string, z.ZodType>>;
}

/** Register it before the routes that it is to describe. */
export async function registerApiDescription(
  app: FastifyInstance,
  version: string,
  extension?: ApiExtension,
): Promise<void> {
  const shapes = namedShapes(extension);
  const description =
    'Self-hosted content moderation: text in, verdict out, judged by a neural model inside the process.';
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Parapet', description, version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      tags: [
        { name: 'moderation', description: 'Verdicts on texts' },
        {
          name: 'compatibility',
          description: 'For clients of the Perspective API and of OpenAI’s moderation endpoint',
        },
        { name: 'guardrails', description: 'For gateways, apps and sites that ask before they let a text through' },
        { name: 'decisions', description: 'What is kept of verdicts, where a project keeps them' },
        { name: 'review', description: 'Appeals against decisions that are kept, and what people said of them' },
        { name: 'operation', description: 'For operators' },
        ...(extension === undefined ? [] : [extension.tag]),
      ],
      components: {
        schemas: shapes.components,
        securitySchemes: {
          ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          ApiKeyInQuery: { type: 'apiKey', in: 'query', name: 'key' },
          BearerKey: { type: 'http', scheme: 'bearer' },
          CoralSignature: { type: 'apiKey', in: 'header', name: 'X-Coral-Signature' },
          ...extension?.securitySchemes,
        },
      },
    },
    transform: ({ schema, url }) => ({ schema: describe(schema, { ...shapes, ownTag: extension?.tag.name }), url }),
  });
  registerDocsPage(app);
  let document = Buffer.of();
  // Once, when every route is known: written anew for each request, it would keep the HTTP thread from the others.
  app.addHook('onReady', (done) => {
    document = Buffer.from(JSON.stringify(app.swagger()));
    done();
  });
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    void reply.type('application/json; charset=utf-8').send(document);
  });
}

/** What a caller may send and what it may get differ in JSON Schema: unknown members are ignored, but never answered. */
const REQUEST_SHAPES: Readonly<Record<string, z.ZodType>> = {
  AnalyzeRequest: analyzeBody,
  BatchRequest: batchRequest,
  ModerationRequest: moderationBody,
  AnalyzeCommentRequest: analyzeCommentBody,
  SuggestScoreRequest: suggestScoreBody,
  LiteLlmGuardRequest: liteLlmBody,
  AgentgatewayPromptRequest: promptBody,
  AgentgatewayChoicesRequest: choicesBody,
  CoralPhaseRequest: coralBody,
  DifyModerationRequest: difyBody,
  PortkeyWebhookRequest: portkeyBody,
  AppealRequest: appealBody,
};
const RESPONSE_SHAPES: Readonly<Record<string, z.ZodType>> = {
  AnalyzeResponse: analyzeResponse,
  BatchResponse: batchResponse,
  Decision: decisionSchema,
  DecisionList: decisionListResponse,
  DecisionsDeleted: decisionsDeletedResponse,
  Details: detailsSchema,
  HealthResponse: healthResponse,
  Problem: problemResponse,
  ModerationResponse: moderationResponse,
  OpenAiError: openAiErrorResponse,
  AnalyzeCommentResponse: analyzeCommentResponse,
  SuggestScoreResponse: suggestScoreResponse,
  PerspectiveError: perspectiveErrorResponse,
  LiteLlmGuardResponse: liteLlmResponse,
  AgentgatewayPromptResponse: promptResponse,
  AgentgatewayChoicesResponse: choicesResponse,
  CoralPhaseResponse: coralResponse,
  DifyModerationResponse: difyResponse,
  PortkeyWebhookResponse: portkeyResponse,
  Appeal: appealResponse,
  ReviewOutcome: reviewOutcomeSchema,
  ReviewOutcomes: outcomesResponse,
};

function namedShapes(extension: ApiExtension | undefined) {
  const requests = { ...REQUEST_SHAPES, ...extension?.requestShapes };
  const responses = { ...RESPONSE_SHAPES, ...extension?.responseShapes };
  return {
    components: { ...componentsOf(requests, 'input'), ...componentsOf(responses, 'output') },
    names: new Map<unknown, string>([
      ...Object.entries({ ...requests, ...responses }).map(([name, shape]) => [shape, name] as const),
      // The route takes items of any shape and answers each by itself: what an item is to be is said in the other.
      [batchBody, 'BatchRequest'] as const,
    ]),
  };
}

/** Of requests with an API key: routes that take none never answer them. */
const KEY_CODES: ReadonlySet<string> = new Set<ErrorCode>(['unauthorized', 'rate_limited', 'too_many_failures']);

interface Naming {
  readonly names: ReadonlyMap<unknown, string>;
  /** The tag of the routes that answer the codes of the dashboard. */
  readonly ownTag: string | undefined;
}

type JsonSchema = Omit<z.core.JSONSchema.JSONSchema, '$schema' | '$id'>;

function componentsOf(shapes: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(shapes)) registry.add(shape, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: referenceTo });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, embedded(schema)]));
}

function referenceTo(component: string): string {
  return `#/components/schemas/${component}`;
}

/** Identity and dialect belong to a document of its own, not to a part of this one. */
function embedded(schema: z.core.JSONSchema.BaseSchema): JsonSchema {
  const part = { ...schema };
  delete part.$schema;
  delete part.$id;
  return part;
}

function describe(schema: FastifySchema | undefined, naming: Naming): FastifySchema {
  if (schema === undefined || schema.hide === true) return { hide: true };
  const { body, querystring, params, response, ...rest } = schema;
  const isExtension = naming.ownTag !== undefined && schema.tags?.includes(naming.ownTag) === true;
  return {
    ...rest,
    ...(body === undefined ? {} : { body: jsonSchemaOf(body, naming) }),
    ...(querystring === undefined ? {} : { querystring: jsonSchemaOf(querystring, naming) }),
    ...(params === undefined ? {} : { params: jsonSchemaOf(params, naming) }),
    response: Object.fromEntries(
      Object.entries(response ?? {}).map(([status, shape]) => [
        status,
        describeAnswer(status, shape, isExtension, naming),
      ]),
    ),
  };
}

function describeAnswer(status: string, shape: unknown, isExtension: boolean, naming: Naming): object {
  if (shape instanceof z.ZodVoid) return { description: STATUS_CODES[status] ?? status, type: 'null' };
  const isProblem = shape === problemResponse;
  const codes = Object.entries(ERROR_TABLE).filter(
    ([code, entry]) => String(entry.status) === status && (isExtension ? !KEY_CODES.has(code) : !('of' in entry)),
  );
  return {
    description: isProblem ? codes.map(([code]) => `\`${code}\``).join(', ') : (STATUS_CODES[status] ?? status),
    content: { [contentTypeOf(shape)]: { schema: jsonSchemaOf(shape, naming) } },
  };
}

function contentTypeOf(shape: unknown): string {
  if (shape instanceof z.ZodString) {
    const type = shape.meta()?.contentMediaType;
    return typeof type === 'string' ? type : 'text/plain';
  }
  return shape === problemResponse ? 'application/problem+json' : 'application/json';
}

function jsonSchemaOf(shape: unknown, { names }: Naming): object {
  if (!(shape instanceof z.ZodType)) throw new Error('the shapes of a route are zod schemas');
  const name = names.get(shape);
  return name === undefined ? embedded(z.toJSONSchema(shape, { io: 'input' })) : { $ref: referenceTo(name) };
}
