/**
 * Loads the OpenTelemetry packages, only when tracing was asked for, and sets them up. They are no dependencies of the service: most
 * operators do without. They read the standard OTEL_ variables themselves.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { errorCodeOf, OperatorError } from '../../errors.js';
import type { Tracing } from './tracing.js';

export interface OpenTelemetry extends Tracing {
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

interface OpenTelemetryOptions {
  readonly serviceName: string;
  readonly version: string;
  /** Told of the first in a row of failures to send. The message holds no address or header. */
  readonly onProblem: (problem: string) => void;
}

/** What a stop waits for a collector: less than any usual grace period. */
const CLOSE_TIMEOUT_MS = 3000;

const PACKAGES = ['api', 'core', 'resources', 'sdk-trace-base', 'exporter-trace-otlp-http'];

/** @throws OperatorError when the packages are not installed */
export async function loadOpenTelemetry(options: OpenTelemetryOptions): Promise<OpenTelemetry> {
  const { api, core, resources, sdk, otlp } = await importPackages();
  const exporter = new otlp.OTLPTraceExporter();
  let failing = false;
  // The processor would hand failures to a log of its own, with details of the request.
  const spanExporter: InstanceType<typeof otlp.OTLPTraceExporter>['export'] = (spans, done) => {
    exporter.export(spans, (result) => {
      const failed = result.code !== core.ExportResultCode.SUCCESS;
      if (failed && !failing) {
        options.onProblem('Traces could not be sent to the collector; they are dropped until it answers again.');
      }
      failing = failed;
      done({ code: core.ExportResultCode.SUCCESS });
    });
  };
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': options.serviceName, 'service.version': options.version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        export: spanExporter,
        forceFlush: () => exporter.forceFlush(),
        shutdown: () => exporter.shutdown(),
      }),
    ],
  });
  return {
    api,
    tracer: provider.getTracer('parapet', options.version),
    propagator: new core.W3CTraceContextPropagator(),
    async close() {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        delay(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
      ]);
    },
  };
}

async function importPackages() {
  try {
    const [api, core, resources, sdk, otlp] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    return { api, core, resources, sdk, otlp };
  } catch (error) {
    if (errorCodeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      [
        'Tracing was asked for (OTEL_EXPORTER_OTLP_ENDPOINT), but its packages are not installed. Either unset it, or install them:',
        `  npm install --no-save --omit=dev ${PACKAGES.map((name) => `@opentelemetry/${name}`).join(' ')}`,
      ].join('\n'),
    );
  }
}
