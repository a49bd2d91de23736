/** Promises of webhooks over HTTP: set by whoever is signed in, a secret that is shown once, and outcomes of reviews without a text. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { webhookResponse, webhookSecretResponse } from '../../../src/dashboard/routes/webhook-schemas.js';
import { createAuditLog } from '../../../src/people/audit-log.js';
import { createDeliveries } from '../../../src/webhooks/deliveries.js';
import { createWebhooks } from '../../../src/webhooks/webhook-repository.js';
import { adminRequest, signedIn } from '../../support/dashboard/admin-client.js';
import { createHttpService } from '../../support/http-service.js';
import { DECISION_KEYS, keepDecisions } from '../../support/dashboard/kept-decisions.js';

async function webhookService() {
  const service = await createHttpService({ dashboard: {}, decisionKeys: DECISION_KEYS });
  const admin = await signedIn(service.app);
  const path = `/projects/${service.record.projectId}/webhook`;
  return {
    ...service,
    admin,
    path,
    state: async () => webhookResponse.parse((await admin.get(path)).json()),
    secretOf: async (method: 'PUT' | 'POST', end: string, body: object) =>
      webhookSecretResponse.parse((await admin.send(method, path + end, body)).json()).secret ?? '',
    deliver: () =>
      createDeliveries({
        webhooks: createWebhooks(service.records),
        networks: ['127.0.0.0/8'],
        onProblem: (problem) => expect.unreachable(problem),
      }).run(),
  };
}

/** @returns its address, and what it was sent */
async function listener(secret: () => string) {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      seen.push(new Webhook(secret()).verify(body, headers));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, seen };
}

describe('the webhook of a project', () => {
  it('is told, signed, what comes of reviews and of undoing them, and no text', async () => {
    const { admin, secretOf, deliver, records, record, state } = await webhookService();
    let secret = '';
    const { url, seen } = await listener(() => secret);
    secret = await secretOf('PUT', '', { url });
    const [id = ''] = await keepDecisions(records, record.projectId, [{ text: 'harbour slang', reference: 'post-7' }]);
    const wrong = { outcome: 'wrong', shouldPass: true, categories: ['spam'], note: 'a harbour note' };
    expect((await admin.send('POST', `/reviews/${id}/judgement`, wrong)).json()).toEqual({ outcome: 'wrong' });
    expect((await admin.send('POST', '/reviews/undo')).json()).toMatchObject({ id });
    expect((await state()).deliveries).toMatchObject([{ type: 'review.outcome', state: 'waiting' }, {}]);
    await deliver();
    expect(seen).toHaveLength(2);
    expect(seen).toContainEqual({
      type: 'review.outcome',
      timestamp: expect.any(String) as string,
      data: expect.objectContaining({
        ...{
          decisionId: id,
          reference: 'post-7',
          outcome: 'wrong',
          passed: false,
          shouldPass: true,
          categories: ['spam'],
        },
      }) as object,
    });
    expect(JSON.stringify(seen)).not.toContain('harbour');
    const { webhook, deliveries } = await state();
    expect(deliveries).toEqual([]);
    expect(webhook?.succeededAt).not.toBeNull();
  });

  it('is tried, given a new secret, and removed; each is in the audit log without the secret', async () => {
    const { admin, path, secretOf, deliver, records, state, log } = await webhookService();
    let secret = '';
    const { url, seen } = await listener(() => secret);
    const first = await secretOf('PUT', '', { url });
    // The address alone is changed.
    expect(await secretOf('PUT', '', { url })).toBe('');
    secret = await secretOf('POST', '/rotate', { overlapHours: 1 });
    for (const signing of [secret, first]) {
      secret = signing;
      await admin.send('POST', `${path}/test`);
      await deliver();
    }
    expect(seen).toMatchObject([{ type: 'webhook.test' }, { type: 'webhook.test' }]);
    expect((await state()).webhook).toMatchObject({ url, disabledAt: null });
    expect((await admin.send('DELETE', path)).json()).toEqual({ webhook: null, deliveries: [] });
    const entries = await createAuditLog(records).list({ limit: 10 });
    expect(entries.map(({ action }) => action).slice(0, 6)).toEqual([
      ...['webhook.remove', 'webhook.test', 'webhook.test', 'webhook.rotate', 'webhook.set', 'webhook.set'],
    ]);
    expect(JSON.stringify(entries) + log()).not.toContain(first);
  });

  it('sends again by hand what was given up', async () => {
    const { admin, path, secretOf, deliver, records, state } = await webhookService();
    let secret = '';
    const { url, seen } = await listener(() => secret);
    secret = await secretOf('PUT', '', { url });
    await admin.send('POST', `${path}/test`);
    const webhooks = createWebhooks(records);
    const [due] = await webhooks.takeDue(1);
    await webhooks.failed(due?.id ?? '', 'it answered 410', true);
    const { webhook, deliveries } = await state();
    expect(webhook?.disabledAt).not.toBeNull();
    expect(deliveries).toMatchObject([{ id: due?.id, state: 'dead', nextAt: null, problem: 'it answered 410' }]);
    expect((await admin.send('POST', `${path}/send-again`)).json()).toEqual({ deliveries: 1 });
    await deliver();
    expect(seen).toHaveLength(1);
  });

  it('says what is wrong, and is nobody else’s', async () => {
    const { admin, app, path, key } = await webhookService();
    expect((await admin.send('PUT', path, { url: 'shop.example' })).json()).toMatchObject({ code: 'invalid_body' });
    expect((await admin.send('POST', `${path}/rotate`, { overlapHours: -1 })).statusCode).toBe(400);
    for (const end of ['/rotate', '/test', '/send-again']) {
      expect((await admin.send('POST', path + end, {})).json()).toMatchObject({ code: 'not_found' });
    }
    const unknown = await admin.send('PUT', '/projects/prj_nobody/webhook', { url: 'https://shop.example' });
    expect(unknown.statusCode).toBe(404);
    const keyed = await adminRequest(app, 'GET', path, { headers: { 'x-api-key': key } });
    expect(keyed.json()).toMatchObject({ code: 'sign_in_required' });
  });
});
