/** Entry point of `npx parapet quickstart`: a key if there is none, the service, and a command to paste. For a first look only. */
import { keyStateAt } from './keys/key-record.js';
import { endWith, runService } from './service-process.js';
import type { Store } from './storage/store.js';

async function keyToShow({ keys }: Store): Promise<string | undefined> {
  if ((await keys.list()).some((record) => keyStateAt(record, new Date()) === 'active')) return undefined;
  const request = {
    project: 'quickstart',
    name: 'first key',
    environment: 'test',
    expiresInMs: null,
    rateLimitPerMinute: null,
  } as const;
  return (await keys.create(request)).key;
}

// The log goes elsewhere and is short, so that what is printed here stands together.
const { address, app } = await runService({
  logTo: 'stderr',
  defaults: { LOG_LEVEL: 'warn' },
  warnsOfNoKey: false,
});
// After all that can fail, so that no key is made which nobody sees.
const key = await keyToShow(app.store).catch(endWith);
process.stdout.write(`
Parapet is ready at ${address}

${
  key === undefined
    ? `There are keys already. If you no longer have one:

  npx parapet keys create --project quickstart --name mine --env test`
    : `Your test key, shown only now (keep it on servers, never in a browser or an app):

  ${key}`
}

Judge a first text, from another terminal:

  curl -s ${address}/v1/analyze \\
    -H 'X-API-Key: ${key ?? '<YOUR_KEY>'}' \\
    -H 'Content-Type: application/json' \\
    -d '{"content": "You are an idiot and nobody wants you here."}'

In the browser:

  ${address}/docs        the API
  ${address}/dashboard   keys, statistics and a place to try texts
${
  app.hasDashboard
    ? ''
    : `
The dashboard is off until you set its password. Stop with Ctrl-C, then:

  npx parapet admin set-password
  npx parapet start
`
}
Stop with Ctrl-C.
`);
