/** An engine of the store as its contract meets it: places where nothing is kept yet, and servers that open them. */
import type { Store, StoreOptions } from '../../../src/storage/store.js';
import { REQUEST, standingClock, verifierOf } from '../../unit/storage/store-folder.js';

/** The store as one more server has it; closed with the test. */
export type Open = (options?: StoreOptions) => Promise<Store>;

export interface StoreEngine {
  /** A place of its own for each test. */
  fresh(): Promise<Open>;
}

export async function setUp(engine: StoreEngine) {
  const open = await engine.fresh();
  const clock = standingClock();
  const store = await open({ now: clock.now });
  return { ...store, store, clock, open, verifier: verifierOf(store, clock.now) };
}

/** With two projects. */
export async function setUpPolicies(engine: StoreEngine) {
  const kept = await setUp(engine);
  const { projectId: shop } = (await kept.keys.create(REQUEST)).record;
  const { id: forum } = await kept.projects.create('forum');
  return { ...kept, shop, forum };
}
