/** Promises of docs/operations: the unit of systemd, and the Secret of keys of Kubernetes. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { builtUrl } from '../../support/built.js';
import { ROOT } from '../../support/client-package.js';
import {
  analyzeInDetail,
  createKey,
  killAfterTest,
  policiesCommand,
  spawnService,
  temporaryFolder,
} from '../../support/service.js';
import { KIND } from '../../support/texts.js';

const example = (name: string): string => readFileSync(join(ROOT, 'docs/operations', name), 'utf8');

const analyzer = spawnSync('systemd-analyze', ['--version']).error === undefined;

it.skipIf(!analyzer)('parapet.service is what systemd takes, and lets the service do little', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'parapet.service');
  const command = fileURLToPath(builtUrl('cli/parapet.js'));
  writeFileSync(file, example('parapet.service').replace(/^ExecStart=\S+/m, `ExecStart=${command}`));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  // 0 is a service that may do nothing, 100 one that may do everything.
  const exposure = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file]);
  expect(exposure.status, String(exposure.stdout)).toBe(0);
});

/** What kubectl would make of the files of a Secret, laid out as Kubernetes mounts it: every file a link into a folder that a change replaces. */
const KUBECTL = `#!/bin/sh
set -eu
if [ "$1" = apply ]; then cat >"$MOUNT/applied"; exit; fi
mkdir -p "$MOUNT/..first"
ln -s ..first "$MOUNT/..data"
for argument; do
  case $argument in --from-file=*) file=\${argument#--from-file=}; name=$(basename "$file")
    cp "$file" "$MOUNT/..first/$name"; ln -s "..data/$name" "$MOUNT/$name" ;;
  esac
done
echo 'kind: Secret'
`;

it('kubernetes/files has a command whose Secret holds keys and policies, and the service follows both', async () => {
  const home = temporaryFolder();
  const keysFile = join(home, 'data/keys.json');
  mkdirSync(dirname(keysFile));
  const { key } = await createKey(keysFile, { project: 'strict' });
  await policiesCommand(keysFile, 'set', 'strict', '--category', 'toxic=fail:0');
  const [bin, mount] = [join(home, 'bin'), join(home, 'keys')];
  for (const folder of [bin, mount]) mkdirSync(folder);
  writeFileSync(join(bin, 'kubectl'), KUBECTL);
  chmodSync(join(bin, 'kubectl'), 0o755);

  const [command = ''] =
    /kubectl create secret [^]*? -f -$/m.exec(example('kubernetes/files/kustomization.yaml')) ?? [];
  const { status, stderr } = spawnSync('sh', ['-c', command.replaceAll('\n#', '\n')], {
    cwd: home,
    env: { PATH: `${bin}:${process.env.PATH ?? ''}`, MOUNT: mount },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(join(mount, 'applied'), 'utf8')).toBe('kind: Secret\n');

  const service = spawnService({ KEYS_FILE: join(mount, 'keys.json'), INFERENCE_THREADS: '1' });
  killAfterTest(service);
  const target = { address: await service.ready, key };
  expect((await analyzeInDetail(target, KIND)).details.policy).toMatchObject({ version: 1 });

  // A change comes as Kubernetes brings it: the folder behind the link is another.
  await policiesCommand(keysFile, 'set', 'strict', '--category', 'toxic=fail:1');
  rmSync(join(mount, '..data'));
  symlinkSync(join(home, 'data'), join(mount, '..data'));
  expect((await analyzeInDetail(target, KIND)).details.policy).toMatchObject({ version: 2 });
});
