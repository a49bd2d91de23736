/** What balancers and supervisors ask, without a key: GET /v1/health and /readyz whether texts are judged, /livez whether the process answers. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../body/validation.js';
import { healthResponse, livenessResponse, type HealthStatus } from './schemas.js';

/** Asked every few seconds, and answered while the service stops. */
export const PROBES: ReadonlySet<string> = new Set(['/v1/health', '/readyz', '/livez']);

export function registerHealthRoutes(app: FastifyInstance, health: () => HealthStatus): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const answersHealth = (url: string, operationId: string, summary: string, description: string): void => {
    const response = { 200: healthResponse, 503: healthResponse };
    typed.get(
      url,
      { schema: { operationId, summary, description, tags: ['operation'], response } },
      (_request, reply) => {
        const status = health();
        void reply.code(status === 'healthy' ? 200 : 503).send({ status, timestamp: new Date().toISOString() });
      },
    );
  };
  answersHealth(
    '/v1/health',
    'checkHealth',
    'Check health',
    'Healthy only when the model is loaded and has answered a warm-up text.',
  );
  answersHealth(
    '/readyz',
    'checkReadiness',
    'Check readiness',
    'Whether to send texts here: as `/v1/health`, under the name that orchestrators know.',
  );
  typed.get(
    '/livez',
    {
      schema: {
        operationId: 'checkLiveness',
        summary: 'Check liveness',
        description: 'Whether the process answers at all, also while it starts, stops or cannot judge.',
        tags: ['operation'],
        response: { 200: livenessResponse },
      },
    },
    (_request, reply) => {
      void reply.send({ status: 'alive' });
    },
  );
}
