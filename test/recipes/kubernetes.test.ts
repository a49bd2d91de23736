/** Promises of docs/operations/kubernetes/base: its parts are what the schemas of Kubernetes have. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/client-package.js';
import { pythonWith } from '../support/environments.js';
import { temporaryFolder } from '../support/service.js';

/** Has the schemas of all versions from the one to the other. */
const PACKAGE = 'kubernetes-validate==1.37.0';
const VERSIONS = ['1.30', '1.37'];
/** What has no schema there: Kustomize's own file, and a kind of the Prometheus Operator. */
const WITHOUT_SCHEMA = ['kustomization.yaml', 'pod-monitor.yaml'];

it('the parts of kubernetes/base are what Kubernetes takes, to the last member', { timeout: 600_000 }, async () => {
  const python = await pythonWith([PACKAGE], '2026-11-28');
  const base = join(ROOT, 'docs/operations/kubernetes/base');
  const parts = readdirSync(base).filter((name) => name.endsWith('.yaml') && !WITHOUT_SCHEMA.includes(name));
  const wrong = join(temporaryFolder(), 'wrong.yaml');
  writeFileSync(wrong, readFileSync(join(base, 'service.yaml'), 'utf8').replace('selector:', 'selectors:'));
  for (const version of VERSIONS) {
    const validate = (files: string[]): { status: number | null; stdout: string } =>
      spawnSync(python, ['-m', 'kubernetes_validate', '--strict', '-k', version, ...files], { encoding: 'utf8' });
    const { status, stdout } = validate(parts.map((name) => join(base, name)));
    expect(status, stdout).toBe(0);
    expect(stdout.match(/ passed for resource /g)).toHaveLength(parts.length);
    expect(validate([wrong]).status).toBe(1);
  }
});
