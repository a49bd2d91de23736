/** The webhook of a project: set, rotated, tried, removed, and what could not be sent. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from '../../http/body/validation.js';
import { problems } from '../../http/routes/schemas.js';
import { HOUR_MS } from '../../durations.js';
import type { Delivery, Webhook } from '../../webhooks/webhook-repository.js';
import { type AdminContext, changing, may, reading } from './admin-context.js';
import { idParams } from './admin-schemas.js';
import { requireProject } from './project-routes.js';
import {
  sentAgainResponse,
  webhookBody,
  webhookResponse,
  webhookRotateBody,
  webhookSecretResponse,
  type WebhookResponse,
} from './webhook-schemas.js';

const MOST_SHOWN = 50;
const CHANGED = [400, 401, 403, 404, 413, 415, 503] as const;

export function registerWebhookRoutes(app: FastifyInstance, context: AdminContext): void {
  const { webhooks, askingRecords } = context;
  const typed = app.withTypeProvider<ZodTypeProvider>();

  async function stateOf(projectId: string): Promise<WebhookResponse> {
    const webhook = await webhooks.find(projectId);
    return {
      webhook: webhook === undefined ? null : webhookOnTheWire(webhook),
      deliveries: (await webhooks.deliveries(projectId, MOST_SHOWN)).map(deliveryOnTheWire),
    };
  }

  typed.get(
    '/projects/:id/webhook',
    {
      config: may('editor'),
      schema: {
        ...reading('Show the webhook of a project'),
        params: idParams,
        response: { 200: webhookResponse, ...problems(401, 403, 503) },
      },
    },
    ({ params }) => askingRecords(() => stateOf(params.id)),
  );

  typed.put(
    '/projects/:id/webhook',
    {
      config: may('editor', 'webhook.set'),
      schema: {
        ...changing('Set the address of a webhook'),
        description: 'It is told what comes of reviews. One that was switched off is on again.',
        params: idParams,
        body: webhookBody,
        response: { 200: webhookSecretResponse, ...problems(...CHANGED) },
      },
    },
    async ({ params: { id }, body }) => {
      await requireProject(context, id);
      return { secret: (await askingRecords(() => webhooks.set(id, body.url))) ?? null };
    },
  );

  typed.post(
    '/projects/:id/webhook/rotate',
    {
      config: may('editor', 'webhook.rotate'),
      schema: {
        ...changing('Put a new secret in place of that of a webhook'),
        params: idParams,
        body: webhookRotateBody,
        response: { 200: webhookSecretResponse, ...problems(...CHANGED) },
      },
    },
    async ({ params, body }) => ({
      secret: await askingRecords(() => webhooks.rotate(params.id, body.overlapHours * HOUR_MS)),
    }),
  );

  typed.post(
    '/projects/:id/webhook/test',
    {
      config: may('editor', 'webhook.test'),
      schema: {
        ...changing('Send a test to a webhook'),
        description: 'An event of the type `webhook.test`, within seconds.',
        params: idParams,
        response: { 200: webhookResponse, ...problems(401, 403, 404, 503) },
      },
    },
    ({ params: { id } }) =>
      askingRecords(async () => {
        await webhooks.enqueueTest(id);
        return stateOf(id);
      }),
  );

  typed.post(
    '/projects/:id/webhook/send-again',
    {
      config: may('editor', 'webhook.send-again'),
      schema: {
        ...changing('Send again what was given up'),
        description: 'Switches the webhook on where it was switched off.',
        params: idParams,
        response: { 200: sentAgainResponse, ...problems(401, 403, 404, 503) },
      },
    },
    async ({ params }) => ({ deliveries: await askingRecords(() => webhooks.sendAgain(params.id)) }),
  );

  typed.delete(
    '/projects/:id/webhook',
    {
      config: may('editor', 'webhook.remove'),
      schema: {
        ...changing('Remove the webhook of a project'),
        description: 'With what waits to be sent.',
        params: idParams,
        response: { 200: webhookResponse, ...problems(401, 403, 404, 503) },
      },
    },
    ({ params: { id } }) =>
      askingRecords(async () => {
        await webhooks.remove(id);
        return stateOf(id);
      }),
  );
}

function webhookOnTheWire(webhook: Webhook): NonNullable<WebhookResponse['webhook']> {
  return {
    url: webhook.url,
    createdAt: timeOf(webhook.createdAt),
    succeededAt: timeOrNull(webhook.succeededAt),
    earlierSecretUntil: timeOrNull(webhook.earlierUntil),
    disabledAt: timeOrNull(webhook.disabledAt),
  };
}

function deliveryOnTheWire(delivery: Delivery): WebhookResponse['deliveries'][number] {
  const { type } = JSON.parse(delivery.payload) as { readonly type: string };
  return {
    id: delivery.id,
    createdAt: timeOf(delivery.createdAt),
    type,
    state: delivery.state,
    attempts: delivery.attempts,
    nextAt: delivery.state === 'dead' ? null : timeOf(delivery.nextAt),
    problem: delivery.problem ?? null,
  };
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
const timeOrNull = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : timeOf(milliseconds);
