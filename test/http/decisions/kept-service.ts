/** A service whose project keeps what a test says, with a way to ask as any role. */
import { newDecisionsKey } from '../../../src/decisions/text-cipher.js';
import type { Role } from '../../../src/people/roles.js';
import type { PolicyFields } from '../../../src/policies/policy-schema.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { signedIn } from '../../support/dashboard/admin-client.js';
import { createFakeAnalyzer, HARMLESS, INSULT } from '../../support/fake-analyzer.js';
import { createHttpService } from '../../support/http-service.js';

export async function keptService(keep?: PolicyFields['keep'], decisionKeys = [newKey()]) {
  const analyzer = createFakeAnalyzer((text) => (text.includes('idiot') ? INSULT : HARMLESS));
  const service = await createHttpService({ analyzer, dashboard: {}, decisionKeys });
  const policies = openFileStore(service.keysFile).policies;
  const { projectId } = service.record;
  if (keep !== undefined) await policies.edit(projectId, () => ({ keep }), { by: 'command line' });
  const owner = await signedIn(service.app);

  async function signedInAs(role: Role) {
    const client = await signedIn(service.app);
    await service.records.change(async (ask) => {
      await ask(
        `insert into parapet.account (id, name, role, created_at, created_by) values ($1, $1, $1, 1, 'owner')
         on conflict (id) do nothing`,
        [role],
      );
      // That of the owner stays.
      await ask(
        `update parapet.session set account_id = $1 where used_at = (select max(used_at) from parapet.session)
         and account_id = 'owner' and id_hash <> $2`,
        [role, ownersHash],
      );
    });
    return client;
  }
  const [{ idHash: ownersHash } = { idHash: '' }] = await service.records.read<{ idHash: string }>(
    'select id_hash from parapet.session',
  );
  const asKey = (method: 'GET' | 'DELETE', url: string, key = service.key) =>
    service.app.inject({ method, url, headers: { 'x-api-key': key } });
  return { ...service, owner, projectId, policies, signedInAs, asKey };
}

export function newKey(): Buffer {
  return Buffer.from(newDecisionsKey(), 'base64');
}
