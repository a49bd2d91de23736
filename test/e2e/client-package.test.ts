/** Promises of the package of the TypeScript client: what is packed works, and nothing else can be packed. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packClient, ROOT, run } from '../support/client-package.js';
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
  expect(readdirSync(installed)).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'parapet-client.js', 'parapet-client.d.ts']),
  );
});

it.each(['clients/typescript', 'clients/typescript/dist'])(
  'npm pack ./%s cannot pack what was not built',
  async (path) => {
    rmSync(join(ROOT, 'clients/typescript/dist'), { recursive: true, force: true });
    const folder = temporaryFolder();
    const packing = run('npm', ['pack', `./${path}`, '--pack-destination', folder], { cwd: ROOT });
    await expect(packing).rejects.toThrow('Could not read package.json');
    expect(readdirSync(folder)).toEqual([]);
  },
);
