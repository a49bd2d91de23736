/** Lists of terms over HTTP: what of one that is typed or imported is there twice or can never match. Stores nothing. */
import type { FastifyInstance } from 'fastify';
import { requireBody } from '../../http/body/json-body.js';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import type { AdminContext } from './admin-context.js';
import { changing, problems } from './admin-route.js';
import { MAX_POLICY_BYTES, termsBody, termsResponse } from './policy-schemas.js';

export function registerTermRoutes(app: FastifyInstance, { reading }: AdminContext): void {
  app.withTypeProvider<ZodTypeProvider>().post(
    '/policy-terms',
    {
      preValidation: requireBody,
      bodyLimit: MAX_POLICY_BYTES,
      schema: {
        ...changing('Check a list of terms'),
        description: 'One a line, "#" before a comment. Says which lines can be left out. Stores nothing.',
        body: termsBody,
        response: { 200: termsResponse, ...problems(400, 401, 403, 413, 415) },
      },
    },
    ({ body }) => reading.checkTerms(body.text),
  );
}
