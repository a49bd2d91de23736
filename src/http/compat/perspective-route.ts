/** The comments of the Perspective API on our own analyzer. A thin mapping: it decides nothing about text. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Label } from '../../labels.js';
import type { Analysis } from '../../moderation/analyzer.js';
import type { SegmentProbability } from '../../moderation/spans.js';
import type { ZodTypeProvider } from '../body/validation.js';
import { rounded } from '../routes/analyze-route.js';
import { headerOf, type KeySource } from '../auth/auth.js';
import type { Labels } from '../../labelling/labels.js';
import type { Asking } from '../asking.js';
import type { RouteContext } from '../routes/route-context.js';
import { perspectiveDiscovery } from './perspective-discovery.js';
import { notServed } from './perspective-attributes.js';
import { detectedLanguageOf, unknownLanguageOf } from './perspective-languages.js';
import {
  knownLanguages,
  otherLanguages,
  readAttributes,
  readComment,
  readSuggestion,
  unread,
  type RequestedAttribute,
} from './perspective-request.js';
import {
  analyzeCommentBody,
  analyzeCommentResponse,
  perspectiveErrorResponse,
  suggestScoreBody,
  suggestScoreResponse,
  type AnalyzeCommentResponse,
  type AttributeScores,
  type SuggestScoreResponse,
} from './perspective-schemas.js';
import { DAY_MS } from '../../durations.js';

const ERROR_STATUSES = [400, 401, 413, 415, 429, 500, 503] as const;
const ERRORS = Object.fromEntries(ERROR_STATUSES.map((status) => [status, perspectiveErrorResponse]));
const SECURITY = [{ ApiKey: [] }, { BearerKey: [] }, { ApiKeyInQuery: [] }];

/** A header before the query: addresses end up in logs of proxies. */
const PERSPECTIVE_KEY: KeySource = {
  keyIn: ({ headers, query }) =>
    headerOf(headers['x-api-key']) ?? headerOf(headers['x-goog-api-key']) ?? keyOfQuery(query),
  advice: 'API key not valid. Please pass a valid API key of this service, as ?key= or in the X-API-Key header.',
};

function keyOfQuery(query: unknown): string | undefined {
  return typeof query === 'object' && query !== null && 'key' in query && typeof query.key === 'string'
    ? query.key
    : undefined;
}

export interface SuggestionDeps {
  readonly labels: Pick<Labels, 'keep'>;
  readonly asking: Asking;
}

/** @param suggestions absent: none is kept */
export function registerPerspectiveRoutes(
  app: FastifyInstance,
  context: RouteContext,
  suggestions: SuggestionDeps | undefined,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = context.authenticate(PERSPECTIVE_KEY);
  const common = { method: 'POST', onRequest } as const;

  routes.route({
    ...common,
    url: '/v1alpha1/comments::analyze',
    schema: {
      operationId: 'analyzeComment',
      summary: 'Analyze a comment, as the Perspective API does',
      description: 'For clients of the Perspective API: see docs/from-perspective.md for what differs.',
      tags: ['compatibility'],
      security: SECURITY,
      body: analyzeCommentBody,
      response: { 200: analyzeCommentResponse, ...ERRORS },
    },
    async handler(request, reply): Promise<AnalyzeCommentResponse> {
      const attributes = readAttributes(request.body);
      const text = readComment(request.body);
      const analyzer = context.readyAnalyzer(reply);
      const names = attributes.map(({ name }) => name);
      const drops = request.body.dropUnsupportedAttributes === true;
      const ofOthers = otherLanguages(request.body.languages, analyzer.languages, names);
      if (ofOthers !== undefined && !drops) throw ofOthers;
      const wantsSpans = request.body.spanAnnotations === true;
      const caller = await context.callerOf(reply, { spans: wantsSpans });
      const analysis = await context.judge(text, reply, caller, { isAlone: true });
      const notRead = unread(text, analysis, names);
      if (notRead !== undefined && !drops) throw notRead;
      const isScored = ofOthers === undefined && notRead === undefined;
      const requested = knownLanguages(request.body.languages, analyzer.languages);
      const detected =
        notRead === undefined
          ? detectedLanguageOf(analysis.probabilities.language, analyzer.languages)
          : unknownLanguageOf(text);
      return {
        attributeScores: scoresOf(isScored ? attributes : [], analysis, {
          drops,
          // As Perspective scores sentences; else the text is the only span.
          spansOf: wantsSpans
            ? (label) => analysis.inSegments(label)
            : (_, probability) => [{ start: 0, end: text.length, probability }],
        }),
        languages: requested.length > 0 ? [...requested] : [detected],
        detectedLanguages: [detected],
        ...tokenOf(request.body),
      };
    },
  });

  routes.route({
    ...common,
    url: '/v1alpha1/comments::suggestscore',
    schema: {
      operationId: 'suggestCommentScore',
      summary: 'Take a suggested score as a label',
      description:
        'The text and what is said of it are kept, encrypted, where the policy of the project keeps texts, and for as long. Else the suggestion is discarded, and answered all the same.',
      tags: ['compatibility'],
      security: SECURITY,
      body: suggestScoreBody,
      response: { 200: suggestScoreResponse, ...ERRORS },
    },
    async handler(request, reply): Promise<SuggestScoreResponse> {
      const { languages: known } = context.readyAnalyzer(reply);
      const text = readComment(request.body);
      const { languages } = request.body;
      const { names, truth } = readSuggestion(request.body);
      const ofOthers = otherLanguages(languages, known, names);
      if (ofOthers !== undefined) throw ofOthers;
      // Nothing is judged, so no language is detected: it is taken for what the caller says.
      const requested = knownLanguages(languages, known);
      const { keep } = (await context.callerOf(reply)).policy ?? {};
      if (suggestions !== undefined && keep?.what === 'texts' && truth.size > 0) {
        const label = { text, language: requested[0], shouldPass: undefined, truth };
        const deleteAt = Date.now() + keep.days * DAY_MS;
        const projectId = request.verifiedKey?.projectId ?? '';
        await suggestions.asking(() => suggestions.labels.keep(projectId, 'suggestion', [label], deleteAt));
      }
      return {
        requestedLanguages: [...(languages ?? [])],
        detectedLanguages: requested.length > 0 ? [...requested] : [detectedLanguageOf(undefined, known)],
        ...tokenOf(request.body),
      };
    },
  });

  app.get('/$discovery/rest', { schema: { hide: true } }, (request, reply) => {
    void reply.send(perspectiveDiscovery(addressOf(request)));
  });
}

interface ScoreOptions {
  /** Whether an attribute without a score is left out; else it is an error. */
  readonly drops: boolean;
  readonly spansOf: (label: Label, whole: number) => readonly SegmentProbability[];
}

function scoresOf(
  attributes: readonly RequestedAttribute[],
  analysis: Analysis,
  { drops, spansOf }: ScoreOptions,
): AnalyzeCommentResponse['attributeScores'] {
  const scores: Record<string, AttributeScores> = {};
  for (const { name, label, scoreThreshold } of attributes) {
    const value = analysis.probabilities.labels.get(label);
    // Not every model has every label.
    if (value === undefined && drops) continue;
    if (value === undefined) throw notServed(name);
    if (rounded(value) < scoreThreshold) continue;
    const spanScores = spansOf(label, value)
      .map(({ start, end, probability }) => ({ begin: start, end, score: scoreOf(probability) }))
      .filter(({ score }) => score.value >= scoreThreshold);
    scores[name] = { summaryScore: scoreOf(value), spanScores };
  }
  return scores;
}

function scoreOf(probability: number): AttributeScores['summaryScore'] {
  return { value: rounded(probability), type: 'PROBABILITY' };
}

function tokenOf({ clientToken }: { clientToken?: string | null | undefined }): { clientToken?: string } {
  return clientToken === undefined || clientToken === null ? {} : { clientToken };
}

/** As the caller reached this service: through a proxy, as that proxy says (where TRUST_PROXY names it). */
function addressOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}/`;
}
