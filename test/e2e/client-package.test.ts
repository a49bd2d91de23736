/** Promises of the package of the TypeScript client: what is packed works, alone, and holds nothing else. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packClient, run } from '../support/client-package.js';
import { startService, temporaryFolder } from '../support/service.js';
import { TOXIC } from '../support/texts.js';

it('the packed client is installed in a project without any other package, and judges', async () => {
  const { address, key } = await startService();
  const project = temporaryFolder();
  writeFileSync(join(project, 'package.json'), '{"name": "shop", "type": "module"}');
  await run('npm', ['install', '--offline', await packClient(project)], { cwd: project });
  const file = join(project, 'moderate.js');
  const options = JSON.stringify({ baseUrl: address, apiKey: key });
  writeFileSync(
    file,
    `import { ParapetClient } from 'parapet-client';
     console.log((await new ParapetClient(${options}).analyze(${JSON.stringify(TOXIC)})).passed);`,
  );
  expect((await run(process.execPath, [file])).stdout).toBe('false\n');
  const installed = join(project, 'node_modules', 'parapet-client');
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'parapet-client',
  ]);
  expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json']);
  expect(readdirSync(join(installed, 'dist'))).toEqual(
    expect.arrayContaining(['LICENSE', 'parapet-client.js', 'parapet-client.d.ts']),
  );
});
