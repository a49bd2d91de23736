/** The queue of decisions that a person looks at: the next one, given back, judged, taken back. */
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { appealContext } from '../../http/routes/review-routes.js';
import { problems } from '../../http/routes/schemas.js';
import { agreementOf, agreementSchema } from '../../reviews/agreement.js';
import { outcomeOf } from '../../reviews/review-outcome.js';
import type { DecisionToReview as Claimed } from '../../reviews/review-record.js';
import { type AdminContext, changing, may, reading } from './admin-context.js';
import { idParams } from './admin-schemas.js';
import { requireProject } from './project-routes.js';
import {
  decisionToReviewSchema,
  judgementBody,
  judgementResponse,
  nextBody,
  nextResponse,
  releaseBody,
  releaseResponse,
  type DecisionToReview,
} from './review-schemas.js';

const CHANGED = [400, 401, 403, 404, 409, 413, 415, 503] as const;

export function registerReviewRoutes(app: FastifyInstance, context: AdminContext): void {
  const { reviews, cipher, askingRecords, askingKeys, store } = context;
  const typed = app.withTypeProvider<ZodTypeProvider>();

  async function onTheWire({ id, content, appeal, ...claimed }: Claimed): Promise<DecisionToReview> {
    const projects = await askingKeys(() => store.projects.list());
    const opened = (sealed: Uint8Array | undefined, context: string): string | null =>
      (sealed && cipher?.open(sealed, context)) ?? null;
    return {
      id,
      projectId: claimed.projectId,
      project: projects.find((project) => project.id === claimed.projectId)?.name ?? claimed.projectId,
      at: timeOf(claimed.at),
      requestId: claimed.requestId,
      reference: claimed.reference ?? null,
      door: claimed.door,
      passed: claimed.passed,
      score: claimed.score,
      categories: [...claimed.categories],
      language: claimed.language ?? null,
      policyVersion: claimed.policyVersion ?? null,
      text: opened(content, id),
      claimedUntil: timeOf(claimed.claimedUntil),
      appeal:
        appeal === undefined
          ? null
          : { id: appeal.id, at: timeOf(appeal.at), text: opened(appeal.content, appealContext(id)) },
    };
  }

  typed.post(
    '/reviews/next',
    {
      config: may('reviewer'),
      schema: {
        ...changing('Take the next decision to look at'),
        description: 'For five minutes nobody else gets it.',
        body: nextBody,
        response: { 200: nextResponse, ...problems(...CHANGED) },
      },
    },
    ({ body, adminSession }) =>
      askingRecords(async () => {
        const reviewer = adminSession?.actor.id ?? '';
        const claimed = await reviews.next(reviewer, body);
        return {
          decision: claimed === undefined ? null : await onTheWire(claimed),
          waiting: await reviews.waiting(reviewer, body.projectId),
        };
      }),
  );

  typed.post(
    '/reviews/release',
    {
      config: may('reviewer'),
      schema: {
        ...changing('Give decisions back to the queue'),
        body: releaseBody,
        response: { 200: releaseResponse, ...problems(...CHANGED) },
      },
    },
    ({ body, adminSession }) =>
      askingRecords(async () => {
        const reviewer = adminSession?.actor.id ?? '';
        await reviews.release(reviewer, body.ids);
        return { waiting: await reviews.waiting(reviewer) };
      }),
  );

  typed.post(
    '/reviews/:id/judgement',
    {
      config: may('reviewer', 'decision.judge'),
      schema: {
        ...changing('Judge a decision'),
        params: idParams,
        body: judgementBody,
        response: { 200: judgementResponse, ...problems(...CHANGED) },
      },
    },
    async (request) => {
      const { outcome, shouldPass = false, categories = [], note = '' } = request.body;
      const { id } = request.params;
      if (note !== '' && cipher === undefined) {
        const message = 'cannot be kept: set DECISIONS_KEY, or leave it empty';
        throw new ServiceError('invalid_body', `note ${message}.`, { errors: [{ path: 'note', message }] });
      }
      const sealed = note === '' ? undefined : cipher?.seal(note, `${id} note`);
      const judgement = { outcome, shouldPass, categories, note: sealed };
      const told = outcomeOf(
        await askingRecords(() => reviews.judge(request.adminSession?.actor.id ?? '', id, judgement)),
      );
      request.audited = { details: { outcome: told.outcome } };
      return { outcome: told.outcome };
    },
  );

  typed.get(
    '/projects/:id/agreement',
    {
      config: may('viewer'),
      schema: {
        ...reading('Say how far reviewers agree'),
        description: 'Of the decisions of a project that two people judged, neither knowing of the other.',
        params: idParams,
        response: { 200: agreementSchema, ...problems(401, 404, 503) },
      },
    },
    async ({ params: { id } }) => {
      await requireProject(context, id);
      return askingRecords(() => agreementOf(store.sql, id));
    },
  );

  typed.post(
    '/reviews/undo',
    {
      config: may('reviewer', 'decision.undo'),
      schema: {
        ...changing('Take back what you judged last'),
        description:
          'You have the decision again. Whoever was told of the outcome is told that it is undone. Refused where somebody else has judged the decision since.',
        response: { 200: decisionToReviewSchema, ...problems(401, 403, 404, 409, 503) },
      },
    },
    async (request) => {
      const claimed = await askingRecords(() => reviews.undo(request.adminSession?.actor.id ?? ''));
      request.audited = { subject: claimed.id };
      return onTheWire(claimed);
    },
  );
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
