/** Promises of kept decisions in the built service: none is lost by a stop, with several processes as with one. */
import { expect, it } from 'vitest';
import { createDecisionRepository } from '../../src/decisions/decision-repository.js';
import { createTextCipher } from '../../src/decisions/text-cipher.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { post, startService } from '../support/service.js';
import { harmlessText } from '../support/texts.js';

const KEY = Buffer.alloc(32, 1);
const TEXTS = Array.from({ length: 60 }, (_, index) => `${harmlessText(40)} ${index}`);

it.each([
  ['one process', ['server.js']],
  ['two processes', ['cli/parapet.js', 'start', '--processes', '2']],
])('every decision of %s is kept once the service has stopped, with its text', async (_, entry) => {
  const settings = { DECISIONS_KEY: KEY.toString('base64'), INFERENCE_THREADS: '2' };
  const service = await startService(settings, undefined, entry);
  const { keys, policies, sql } = openFileStore(service.keysFile);
  const [record] = await keys.list();
  const projectId = record?.projectId ?? '';
  await policies.edit(projectId, () => ({ keep: { what: 'texts', days: 1 } }), { by: 'command line' });
  const answers = await Promise.all(TEXTS.map((text) => post(service, text)));
  const ids = answers.map(({ headers }) => headers.get('x-decision-id') ?? 'none');
  await service.stop();
  const cipher = createTextCipher([KEY]);
  const decisions = createDecisionRepository(sql);
  const kept = await Promise.all(ids.map((id) => decisions.find(id)));
  expect(kept.map((each) => each?.content && cipher?.open(each.content, each.id))).toEqual(TEXTS);
  expect((await decisions.search(projectId, {}, { limit: 100 })).decisions).toHaveLength(TEXTS.length);
  await sql.close();
});
