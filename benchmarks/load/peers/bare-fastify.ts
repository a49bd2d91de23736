/** A route that validates the service's body and answers one and the same verdict: no key, no cache, no log. What HTTP alone can do. */
import Fastify from 'fastify';
import { analyzeBody, type AnalyzeResponse } from '../../../src/http/routes/schemas.js';
import { validateWithZod } from '../../../src/http/body/validation.js';

const VERDICT: AnalyzeResponse = {
  passed: true,
  score: 0,
  sentiment: 'neutral',
  description: 'Passed: a score of 0 of 10 (Safe). Nothing was detected.',
  categories: [],
  processingTimeMs: 0,
};

const app = Fastify({ logger: false });
app.setValidatorCompiler(validateWithZod);
app.get('/', () => ({ ready: true }));
app.post('/v1/analyze', { schema: { body: analyzeBody } }, () => VERDICT);
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
