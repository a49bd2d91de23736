/** GET /v1/health: what balancers ask, without a key. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../body/validation.js';
import { healthResponse, type HealthStatus } from './schemas.js';

export function registerHealthRoute(app: FastifyInstance, health: () => HealthStatus): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    '/v1/health',
    {
      schema: {
        operationId: 'checkHealth',
        summary: 'Check health',
        description: 'Healthy only when the model is loaded and has answered a warm-up text.',
        tags: ['operation'],
        response: { 200: healthResponse, 503: healthResponse },
      },
    },
    (_request, reply) => {
      const status = health();
      void reply.code(status === 'healthy' ? 200 : 503).send({ status, timestamp: new Date().toISOString() });
    },
  );
}
