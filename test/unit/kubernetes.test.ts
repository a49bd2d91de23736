/** Promises of docs/operations/kubernetes. That its parts are what Kubernetes takes, test/recipes/kubernetes.test.ts shows. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../src/config/config.js';
import { REPLICA_SETTINGS } from '../../src/config/replica-settings.js';
import { SETTINGS } from '../../src/config/settings.js';

const BASE = new URL('../../docs/operations/kubernetes/base/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, BASE), 'utf8');

const labels = z.record(z.string(), z.string());
const ports = z.array(z.object({ port: z.union([z.string(), z.number()]) }));
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) });
const processor = z.object({ cpu: z.string() });

const container = z.object({
  image: z.literal('parapet'),
  imagePullPolicy: z.literal('IfNotPresent'),
  env: z.array(z.object({ name: z.string(), valueFrom: z.object({ secretKeyRef: z.object({ name: z.string() }) }) })),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
});

const pod = z.object({
  automountServiceAccountToken: z.literal(false),
  securityContext: z.object({ runAsNonRoot: z.literal(true) }),
});

const deployment = z
  .object({
    spec: z.object({
      template: z.object({
        metadata: z.object({ labels }),
        spec: pod.extend({
          terminationGracePeriodSeconds: z.number(),
          containers: z.tuple([
            container.extend({
              ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
              startupProbe: probe,
              readinessProbe: probe,
              livenessProbe: probe,
              resources: z.object({ requests: processor, limits: processor }),
            }),
          ]),
        }),
      }),
    }),
  })
  .parse(parse(read('deployment.yaml')));

const { template } = deployment.spec;
const [service] = template.spec.containers;
const portNames = service.ports.map(({ name }) => name).sort();

const migration = z
  .object({
    spec: z.object({
      template: z.object({
        metadata: z.object({ labels }),
        spec: pod.extend({ containers: z.tuple([container.extend({ command: z.array(z.string()) })]) }),
      }),
    }),
  })
  .parse(parse(read('migration.yaml')));

const kustomization = z
  .object({
    resources: z.array(z.string()),
    images: z.tuple([z.object({ name: z.literal('parapet'), newTag: z.string() })]),
  })
  .parse(parse(read('kustomization.yaml')));

const variables = Object.fromEntries(
  [...read('settings.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

describe('docs/operations/kubernetes/base', () => {
  it('applies every part but the one for the Prometheus Operator', () => {
    const others = ['kustomization.yaml', 'settings.env', 'pod-monitor.yaml'];
    expect([...kustomization.resources, ...others].sort()).toEqual(readdirSync(BASE).sort());
    expect(read('kustomization.yaml')).toContain('# - pod-monitor.yaml\n');
  });

  it('runs one build in all copies', () => {
    expect(kustomization.images[0].newTag).not.toBe('latest');
  });

  it('sets only what the service reads, to values that it takes', () => {
    const known = Object.keys({ ...SETTINGS, ...REPLICA_SETTINGS });
    expect(known).toEqual(expect.arrayContaining(Object.keys(variables)));
    const [http, metrics] = service.ports.map(({ containerPort }) => containerPort);
    expect(loadConfig(variables)).toMatchObject({ inferenceThreads: 2, port: http, metrics });
  });

  it('has addresses with passwords from a Secret alone, and migrates what the copies use', () => {
    const secrets = Object.entries<{ secret?: true }>(REPLICA_SETTINGS).filter(([, { secret }]) => secret);
    expect(service.env.map(({ name }) => name)).toEqual(secrets.map(([name]) => name));
    const [migrating] = migration.spec.template.spec.containers;
    expect(migrating.command).toEqual(['parapet', 'migrate']);
    expect(migrating.env).toEqual(service.env.slice(0, 1));
  });

  it('asks for readiness and for life at the paths that tell them', () => {
    const paths = [service.startupProbe, service.readinessProbe, service.livenessProbe].map((one) => one.httpGet.path);
    expect(paths).toEqual(['/readyz', '/readyz', '/livez']);
  });

  it('gives a stop more time than the service takes for it, and balancers more than readiness takes to be noticed', () => {
    const { shutdownDelayMs, shutdownTimeoutMs } = loadConfig(variables);
    expect(1000 * template.spec.terminationGracePeriodSeconds).toBeGreaterThan(shutdownDelayMs + shutdownTimeoutMs);
    expect(shutdownDelayMs).toBeGreaterThan(0);
  });

  it('reserves as many cores as there are worker threads', () => {
    const { requests, limits } = service.resources;
    const threads = loadConfig(variables).inferenceThreads;
    expect([requests.cpu, limits.cpu].map(Number)).toEqual([threads, threads]);
  });

  const network = z.object({
    spec: z.object({
      podSelector: z.object({
        matchExpressions: z.tuple([z.object({ key: z.literal('app'), values: z.array(z.string()) })]),
      }),
      policyTypes: z.array(z.string()),
      ingress: z.array(z.object({ from: z.array(z.unknown()).min(1), ports })),
      egress: z.array(z.object({ to: z.array(z.unknown()).min(1), ports })),
    }),
  });
  const portsOf = (rules: readonly { ports: z.output<typeof ports> }[]): unknown[] =>
    rules.map((rule) => [...new Set(rule.ports.map(({ port }) => port))]);

  it('lets names, PostgreSQL and Valkey out of a copy and of the migration, and in by the ports of the service', () => {
    const { podSelector, policyTypes, ingress, egress } = network.parse(parse(read('network-policy.yaml'))).spec;
    const apps = [template, migration.spec.template].map(({ metadata }) => metadata.labels.app);
    expect(podSelector.matchExpressions[0].values).toEqual(apps);
    expect(policyTypes.sort()).toEqual(['Egress', 'Ingress']);
    expect(portsOf(egress)).toEqual([[53], [5432], [6379]]);
    expect(portsOf(ingress).flat().sort()).toEqual(portNames);
  });

  it('has a way out for traces as a comment', () => {
    const [, ...excepted] = read('network-policy.yaml').split(/^ {4}# With OTEL.*\n/m);
    const text = read('network-policy.yaml').replace(excepted.join(), excepted.join().replaceAll(/^ {4}# /gm, '    '));
    expect(portsOf(network.parse(parse(text)).spec.egress).at(-1)).toEqual([4318]);
  });

  it('is scraped under the name by which the alerts know it', () => {
    const { jobLabel, selector, podMetricsEndpoints } = z
      .object({
        spec: z.object({
          jobLabel: z.string(),
          selector: z.object({ matchLabels: labels }),
          podMetricsEndpoints: z.array(z.object({ port: z.string() })),
        }),
      })
      .parse(parse(read('pod-monitor.yaml'))).spec;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(podMetricsEndpoints.map(({ port }) => portNames.includes(port))).toEqual([true]);
    const jobs = [...read('../../alerts.yaml').matchAll(/job="(\w+)"/g)].map(([, job]) => job);
    expect(new Set(jobs)).toEqual(new Set([template.metadata.labels[jobLabel]]));
  });
});
