/** What every engine of the store promises. */
import { describe } from 'vitest';
import { describeKeys } from './keys-contract.js';
import { describeAdmin } from './admin-contract.js';
import { describeDecisions } from './records/decisions-contract.js';
import { describePeople } from './people-contract.js';
import { describePolicies } from './policies-contract.js';
import { describeProjects } from './projects-contract.js';
import { describeLabels } from './records/labels-contract.js';
import { describeReviews } from './records/reviews-contract.js';
import { describeStatistics } from './records/statistics-contract.js';
import { describeTransfer } from './transfer-contract.js';
import { describeUses } from './uses-contract.js';
import { describeWebhooks } from './records/webhooks-contract.js';
import type { StoreEngine } from './store-engine.js';

export function describeStore(name: string, engine: StoreEngine): void {
  describe(`the store in ${name}`, () => {
    describeKeys(engine);
    describeProjects(engine);
    describePolicies(engine);
    describeUses(engine);
    describeStatistics(engine);
    describeAdmin(engine);
    describeDecisions(engine);
    describeReviews(engine);
    describeLabels(engine);
    describeWebhooks(engine);
    describePeople(engine);
    describeTransfer(engine);
  });
}
