/** A route that validates a body of the service's shape and answers one and the same verdict: no key, no cache, no log. What HTTP alone can do. */
import Fastify from 'fastify';
import { MAX_CONTENT_CHARACTERS } from 'parapet/engine';
import { z } from 'zod';

const body = z.object({
  content: z.string().min(1).max(MAX_CONTENT_CHARACTERS),
  metadata: z.looseObject({}).optional(),
});

const VERDICT = {
  passed: true,
  score: 0,
  sentiment: 'neutral',
  description: 'Passed: a score of 0 of 10 (Safe). Nothing was detected.',
  categories: [],
  processingTimeMs: 0,
};

const app = Fastify({ logger: false });
app.setValidatorCompiler<z.ZodType>(({ schema }) => (data) => {
  const parsed = schema.safeParse(data);
  return parsed.success ? { value: parsed.data } : { error: parsed.error };
});
app.get('/', () => ({ ready: true }));
app.post('/v1/analyze', { schema: { body } }, () => VERDICT);
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
