/**
 * Describes the Perspective API of this service in Google's discovery format, from which Google's client libraries build their
 * methods: https://developers.google.com/discovery/v1/reference/apis. Only what those libraries need.
 */

const STRING = { type: 'string' } as const;
const LANGUAGES = { type: 'array', items: STRING } as const;
const reference = (name: string) => ({ $ref: name });
const mapOf = (name: string) => ({ type: 'object', additionalProperties: reference(name) });
const object = (id: string, properties: object) => ({ id, type: 'object', properties });

const SCHEMAS = [
  object('TextEntry', { text: STRING, type: STRING }),
  object('Context', {
    entries: { type: 'array', items: reference('TextEntry') },
    articleAndParentComment: reference('ArticleAndParentComment'),
  }),
  object('ArticleAndParentComment', { article: reference('TextEntry'), parentComment: reference('TextEntry') }),
  object('AttributeParameters', { scoreType: STRING, scoreThreshold: { type: 'number', format: 'float' } }),
  object('Score', { value: { type: 'number', format: 'float' }, type: STRING }),
  object('SpanScore', {
    begin: { type: 'integer', format: 'int32' },
    end: { type: 'integer', format: 'int32' },
    score: reference('Score'),
  }),
  object('AttributeScores', {
    summaryScore: reference('Score'),
    spanScores: { type: 'array', items: reference('SpanScore') },
  }),
  object('AnalyzeCommentRequest', {
    comment: reference('TextEntry'),
    requestedAttributes: mapOf('AttributeParameters'),
    dropUnsupportedAttributes: { type: 'boolean' },
    spanAnnotations: { type: 'boolean' },
    languages: LANGUAGES,
    doNotStore: { type: 'boolean' },
    clientToken: STRING,
    sessionId: STRING,
    communityId: STRING,
    context: reference('Context'),
  }),
  object('AnalyzeCommentResponse', {
    attributeScores: mapOf('AttributeScores'),
    languages: LANGUAGES,
    detectedLanguages: LANGUAGES,
    clientToken: STRING,
  }),
  object('SuggestCommentScoreRequest', {
    comment: reference('TextEntry'),
    attributeScores: mapOf('AttributeScores'),
    languages: LANGUAGES,
    clientToken: STRING,
    sessionId: STRING,
    communityId: STRING,
    context: reference('Context'),
  }),
  object('SuggestCommentScoreResponse', {
    clientToken: STRING,
    requestedLanguages: LANGUAGES,
    detectedLanguages: LANGUAGES,
  }),
];

function method(name: string, shape: string, description: string) {
  const path = `v1alpha1/comments:${name}`;
  return {
    id: `commentanalyzer.comments.${name}`,
    path,
    flatPath: path,
    httpMethod: 'POST',
    description,
    parameters: {},
    parameterOrder: [],
    request: reference(`${shape}Request`),
    response: reference(`${shape}Response`),
  };
}

/** @param rootUrl where callers reach this service, with a slash at the end */
export function perspectiveDiscovery(rootUrl: string): object {
  return {
    kind: 'discovery#restDescription',
    discoveryVersion: 'v1',
    id: 'commentanalyzer:v1alpha1',
    name: 'commentanalyzer',
    version: 'v1alpha1',
    title: 'Comments of the Perspective API, answered by Parapet',
    protocol: 'rest',
    rootUrl,
    servicePath: '',
    baseUrl: rootUrl,
    parameters: { key: { type: 'string', location: 'query', description: 'API key of this service.' } },
    schemas: Object.fromEntries(SCHEMAS.map((schema) => [schema.id, schema])),
    resources: {
      comments: {
        methods: {
          analyze: method('analyze', 'AnalyzeComment', 'Scores a comment for the requested attributes.'),
          suggestscore: method('suggestscore', 'SuggestCommentScore', 'Accepts a suggested score and stores nothing.'),
        },
      },
    },
  };
}
