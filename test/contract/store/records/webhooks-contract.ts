/** What every engine promises of webhooks: what waits is sent by one server, tried for a day, given up, and sent again by hand. */
import { describe, expect, it } from 'vitest';
import { createWebhooks, HOLD_MS, type WebhookEvent } from '../../../../src/webhooks/webhook-repository.js';
import { setUp, type StoreEngine } from '../store-engine.js';

const HOUR_MS = 3_600_000;
const SHOP = 'prj_shop';
const URL = 'https://shop.example/parapet';

async function setUpWebhooks(engine: StoreEngine) {
  const { store, clock, open } = await setUp(engine);
  const webhooks = createWebhooks(store.sql, clock.now);
  const secret = await webhooks.set(SHOP, URL);
  return {
    ...{ store, clock, open, webhooks, secret },
    enqueue: (id: string, projectId = SHOP) => {
      const event: WebhookEvent = { id, type: 'review.outcome', at: clock.now().getTime(), data: { id } };
      return store.sql.change((ask) => webhooks.enqueue(ask, projectId, event));
    },
    taken: async () => (await webhooks.takeDue(10)).map(({ id }) => id).toSorted(),
    /** Every attempt fails. @returns how many there were until it was given up, and after how long */
    failAll: async (id: string) => {
      const begun = clock.now().getTime();
      for (let attempts = 0; ;) {
        if ((await webhooks.takeDue(10)).some((due) => due.id === id)) {
          attempts += 1;
          await webhooks.failed(id, 'it answered 500', false);
        }
        const [delivery] = await webhooks.deliveries(SHOP, 1);
        if (delivery?.state === 'dead') return { attempts, hours: (clock.now().getTime() - begun) / HOUR_MS };
        clock.advance((delivery?.nextAt ?? 0) - clock.now().getTime());
      }
    },
  };
}

export function describeWebhooks(engine: StoreEngine): void {
  describe('a webhook', () => {
    it('has a secret that is shown once, and after a change signs with both for a while', async () => {
      const { webhooks, secret, enqueue, clock } = await setUpWebhooks(engine);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(await webhooks.set(SHOP, `${URL}/other`)).toBeUndefined();
      const next = await webhooks.rotate(SHOP, HOUR_MS);
      expect(JSON.stringify(await webhooks.find(SHOP))).not.toContain('whsec');
      await enqueue('msg_1');
      expect(await webhooks.takeDue(10)).toMatchObject([{ url: `${URL}/other`, secrets: [next, secret] }]);
      clock.advance(HOUR_MS);
      expect(await webhooks.takeDue(10)).toMatchObject([{ id: 'msg_1', secrets: [next] }]);
    });

    it.each(['shop.example', 'ftp://shop.example', 'https://user:pass@shop.example', 'javascript:alert(1)'])(
      'is not %s',
      async (url) => {
        const { webhooks } = await setUpWebhooks(engine);
        await expect(webhooks.set('prj_other', url)).rejects.toThrow('url must be an address such as');
      },
    );

    it('is told of nothing where there is none, and forgets what waits when it is removed', async () => {
      const { webhooks, enqueue, taken } = await setUpWebhooks(engine);
      await enqueue('msg_other', 'prj_other');
      expect(await taken()).toEqual([]);
      await enqueue('msg_1');
      await webhooks.remove(SHOP);
      expect(await taken()).toEqual([]);
      await expect(webhooks.remove(SHOP)).rejects.toThrow('has no webhook');
    });
  });

  describe('what waits for a webhook', () => {
    it('is taken by one server, and by another where that one does not come back', async () => {
      const { store, clock, open, enqueue, taken } = await setUpWebhooks(engine);
      const others = createWebhooks((await open()).sql, clock.now);
      for (const id of ['msg_1', 'msg_2', 'msg_3', 'msg_2']) await enqueue(id);
      const both = await Promise.all([createWebhooks(store.sql, clock.now).takeDue(10), others.takeDue(10)]);
      expect(
        both
          .flat()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(['msg_1', 'msg_2', 'msg_3']);
      expect(await taken()).toEqual([]);
      clock.advance(HOLD_MS);
      expect(await taken()).toEqual(['msg_1', 'msg_2', 'msg_3']);
      await others.succeeded('msg_2');
      clock.advance(HOLD_MS);
      expect(await taken()).toEqual(['msg_1', 'msg_3']);
    });

    it('is tried eight times in a day, then given up, and the webhook with it', async () => {
      const { webhooks, enqueue, failAll, taken } = await setUpWebhooks(engine);
      await enqueue('msg_1');
      const { attempts, hours } = await failAll('msg_1');
      expect(attempts).toBe(8);
      expect(hours).toBeGreaterThan(22);
      expect(hours).toBeLessThan(25);
      expect((await webhooks.find(SHOP))?.disabledAt).toBeDefined();
      await enqueue('msg_2');
      expect(await taken()).toEqual([]);
      expect(await webhooks.deliveries(SHOP, 10)).toMatchObject([
        { id: 'msg_2', state: 'dead', attempts: 0 },
        { id: 'msg_1', state: 'dead', attempts: 8, problem: 'it answered 500' },
      ]);
      expect(await webhooks.sendAgain(SHOP)).toBe(2);
      expect((await webhooks.find(SHOP))?.disabledAt).toBeUndefined();
      expect(await taken()).toEqual(['msg_1', 'msg_2']);
    });

    it('is given up alone where others came through meanwhile', async () => {
      const { webhooks, clock, enqueue, failAll } = await setUpWebhooks(engine);
      await enqueue('msg_1');
      await webhooks.takeDue(10);
      clock.advance(1);
      await webhooks.succeeded('msg_1');
      await enqueue('msg_2');
      clock.advance(1000);
      await enqueue('msg_3');
      const due = await webhooks.takeDue(10);
      expect(due).toHaveLength(2);
      await webhooks.failed('msg_2', 'it answered 500', false);
      await webhooks.succeeded('msg_3');
      await failAll('msg_2');
      expect((await webhooks.find(SHOP))?.disabledAt).toBeUndefined();
    });

    it('is given up at once where the other side wants no more', async () => {
      const { webhooks, enqueue } = await setUpWebhooks(engine);
      await enqueue('msg_1');
      await webhooks.takeDue(10);
      await webhooks.failed('msg_1', 'it answered 410', true);
      expect((await webhooks.find(SHOP))?.disabledAt).toBeDefined();
    });
  });
}
