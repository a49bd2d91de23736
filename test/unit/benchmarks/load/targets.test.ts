/** Promises of what is read from servers: their stages, their use of the machine, their packages. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NODE_FLAGS } from '../../../../benchmarks/load/targets/node-servers.js';
import { parseRequirements } from '../../../../benchmarks/load/targets/python-packages.js';
import { parseStageCounters } from '../../../../benchmarks/load/targets/stage-counters.js';
import { SERVICE_FLAGS } from '../../../../src/cli/start.js';
import { createFakeAnalyzer, INSULT } from '../../../support/fake-analyzer.js';
import { createHttpService } from '../../../support/http-service.js';

describe('the service', () => {
  const words = ['node', ...NODE_FLAGS, 'dist/src/server.js'];

  it('is started as by npm start', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')));
    expect(scripts.start).toBe(words.join(' '));
  });

  it('is started as by parapet start', () => {
    expect(NODE_FLAGS).toEqual(SERVICE_FLAGS);
  });

  it('is started as in the Docker image', () => {
    const command = /^CMD (\[.*\])$/mu.exec(readFileSync('Dockerfile', 'utf8'))?.[1] ?? '[]';
    expect(JSON.parse(command)).toEqual(words);
  });
});

describe('the stages', () => {
  it('are found on the page of metrics that the service really has', async () => {
    const { analyze, app } = await createHttpService({
      analyzer: createFakeAnalyzer(() => INSULT),
      metricsPublic: true,
    });
    const before = parseStageCounters((await app.inject('/metrics')).body);
    expect(before).toMatchObject({ requests: 0, totalSeconds: 0, inferSeconds: 0 });
    await analyze({ content: 'You are an idiot.' });
    const after = parseStageCounters((await app.inject('/metrics')).body);
    expect(after.requests).toBe(1);
    expect(after.totalSeconds).toBeGreaterThan(0);
    expect(after.queueSeconds + after.tokenizeSeconds + after.inferSeconds).toBeGreaterThan(0);
  });
});

describe('the packages of the peers', () => {
  const requirements = parseRequirements(
    readFileSync(new URL('../../../../benchmarks/load/peers/requirements.txt', import.meta.url), 'utf8'),
  );

  it('are all pinned, onnxruntime to the version that the service runs', () => {
    expect(requirements.size).toBe(9);
    const runtime = new URL('../../../../node_modules/onnxruntime-node/package.json', import.meta.url);
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(runtime, 'utf8')));
    expect(requirements.get('onnxruntime')).toBe(version);
  });
});
