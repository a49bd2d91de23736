/** Promises of tracing by the standard variables of OpenTelemetry, told from what a collector gets. */
import { onTestFinished, describe, expect, it } from 'vitest';
import { startCollector, type Collector } from '../../support/operations/collector.js';
import { post, spawnService, startService, temporaryFolder } from '../../support/service.js';

const TEXT = 'You are a stupid PLANTEDTEXT idiot';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN_ID = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE_ID}-${CALLER_SPAN_ID}-01`;
/** Preloaded into the service: its OpenTelemetry packages are not installed, and whoever asks for one is told so. */
const HOOKS = `
  export async function resolve(specifier, context, next) {
    if (!specifier.startsWith('@opentelemetry/')) return next(specifier, context);
    process.stderr.write('asked for ' + specifier + '\\n');
    throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
const PRELOADED = `import { register } from 'node:module'; register(${JSON.stringify(asDataUrl(HOOKS))});`;
const WITHOUT_PACKAGES = { NODE_OPTIONS: `--import=${asDataUrl(PRELOADED)}` };

function asDataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

async function collectorForTest(answer?: 'nothing'): Promise<Collector> {
  const collector = await startCollector(answer);
  onTestFinished(() => collector.close());
  return collector;
}

describe('a traced service', () => {
  it('sends a span for the request, in the trace of its caller, and one for each stage', async () => {
    const collector = await collectorForTest();
    const service = await startService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SERVICE_NAME: 'moderation',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shop',
      LOG_LEVEL: 'trace',
    });
    const answer = await fetch(`${service.address}/v1/analyze?q=PLANTEDQUERY`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.key}`,
        'Content-Type': 'application/json',
        traceparent: TRACEPARENT,
      },
      body: JSON.stringify({ content: TEXT, metadata: { user: 'PLANTEDMETADATA' } }),
    });
    expect(answer.status).toBe(200);
    const refused = await fetch(`${service.address}/v1/analyze`, {
      method: 'POST',
      headers: { 'X-API-Key': 'nonsense', Authorization: `Bearer ${service.key}` },
    });
    await refused.text();
    await fetch(`${service.address}/v1/health`);
    await service.stop();

    const [request, ...others] = collector.spans
      .filter(({ traceId }) => traceId === TRACE_ID)
      .toSorted((a, b) => Number(b.name.startsWith('POST')) - Number(a.name.startsWith('POST')));
    expect(request).toMatchObject({
      name: 'POST /v1/analyze',
      parentSpanId: CALLER_SPAN_ID,
      values: {
        'service.name': 'moderation',
        'deployment.environment': 'test',
        'http.response.status_code': 200,
        'http.route': '/v1/analyze',
        'parapet.key_id': service.keyId,
        'parapet.passed': false,
        'parapet.cached': false,
        'parapet.request_id': answer.headers.get('x-request-id'),
      },
    });
    expect(answer.headers.get('traceresponse')).toBe(`00-${TRACE_ID}-${request?.spanId ?? ''}-01`);
    expect(others.map(({ name }) => name).toSorted()).toEqual(['infer', 'queue', 'tokenize']);
    for (const stage of others) {
      expect(stage.parentSpanId).toBe(request?.spanId);
      const lasted = BigInt(stage.endTimeUnixNano) - BigInt(stage.startTimeUnixNano);
      expect(lasted).toBeGreaterThanOrEqual(0n);
      expect(BigInt(stage.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request?.endTimeUnixNano ?? ''));
    }
    expect(collector.headers[0]).toMatchObject({ 'x-tenant': 'shop' });

    // A refusal is traced too, in a trace of its own; probes are not.
    const own = collector.spans.filter(({ traceId }) => traceId !== TRACE_ID);
    expect(own).toHaveLength(1);
    expect(own[0]?.values).toMatchObject({ 'http.response.status_code': 401, 'error.type': 'unauthorized' });
    expect(refused.headers.get('traceresponse')).toContain(own[0]?.traceId);

    // Its log line leads to the trace, and neither holds what was asked.
    expect(service.lines.find((line) => line.includes('"status":200'))).toContain(`"traceId":"${TRACE_ID}"`);
    for (const secret of ['PLANTED', service.key]) {
      expect(collector.received()).not.toContain(secret);
      expect(service.lines.join('\n')).not.toContain(secret);
    }
  });

  it('judges and stops as ever while the collector does not answer', async () => {
    const collector = await collectorForTest('nothing');
    const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    expect((await post(service, TEXT)).status).toBe(200);
    const asked = performance.now();
    expect((await service.stop()).code).toBe(0);
    expect(performance.now() - asked).toBeLessThan(15_000);
  });

  it('says what to install where the packages are missing', async () => {
    const service = spawnService({
      ...WITHOUT_PACKAGES,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      KEYS_FILE: `${temporaryFolder()}/keys.json`,
    });
    service.ready.catch(() => undefined);
    service.listening.catch(() => undefined);
    const { code, stderr } = await service.exit;
    expect(code).toBe(1);
    expect(stderr).toContain('npm install --no-save --omit=dev @opentelemetry/api');
  });
});

describe('a service that was not asked to trace', () => {
  it('loads nothing of OpenTelemetry, and answers without a trace', async () => {
    const service = await startService(WITHOUT_PACKAGES);
    const answer = await post(service, TEXT);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('traceresponse')).toBeNull();
    const { stderr } = await service.stop();
    expect(stderr).not.toContain('asked for');
  });
});
