/**
 * The standard environment variables of OpenTelemetry that Parapet itself looks at: whether to trace, and what would be wrong with
 * it. The OpenTelemetry packages read these and many more (headers, batches, limits) by themselves.
 */
import { z } from 'zod';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const address = z.union([z.literal(''), z.url({ protocol: /^https?$/ })], {
  error: 'must be an address such as http://collector:4318',
});

/** Empty means unset. The table in docs/operations/tracing.md is tested against this object. */
export const TRACING_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: address,
    default: '',
    meaning: 'Collector that takes OTLP over HTTP. Tracing is on exactly when this or the next is set.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: address,
    default: '',
    meaning: 'The same for traces alone, with the whole path (`…/v1/traces`).',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: z.enum(['', 'http/json', 'http/protobuf'], {
      error: 'must be http/json (or http/protobuf, for which JSON is sent too). There is no exporter for gRPC here',
    }),
    default: '',
    meaning: 'JSON over HTTP is what is sent, which collectors take at the same address as `http/protobuf`. No gRPC.',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string(),
    default: 'parapet',
    meaning: 'Name of the service in traces.',
  },
  OTEL_TRACES_EXPORTER: {
    schema: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }),
    default: 'otlp',
    meaning: '`none` turns tracing off.',
  },
  OTEL_SDK_DISABLED: {
    schema: z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true'),
    default: 'false',
    meaning: '`true` turns tracing off.',
  },
  OTEL_TRACES_SAMPLER: {
    schema: z.enum(SAMPLERS, { error: `must be one of: ${SAMPLERS.join(', ')}` }),
    default: 'parentbased_always_on',
    meaning: 'Which requests are traced. Those that begin with `parentbased_` follow the caller where it says so.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.string().refine((value) => Number(value) >= 0 && Number(value) <= 1, {
      error: 'must be a number from 0 to 1',
    }),
    default: '1',
    meaning: 'Share of the requests, 0 to 1, for the samplers with `ratio`.',
  },
} as const satisfies Record<string, { schema: z.ZodType; default: string; meaning: string }>;

type Values = {
  readonly [Name in keyof typeof TRACING_SETTINGS]: z.output<(typeof TRACING_SETTINGS)[Name]['schema']>;
};

/** `undefined` where no tracing was asked for. */
export function tracingConfigOf(values: Values): { readonly serviceName: string } | undefined {
  const asked = values.OTEL_EXPORTER_OTLP_ENDPOINT !== '' || values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== '';
  if (!asked || values.OTEL_SDK_DISABLED || values.OTEL_TRACES_EXPORTER === 'none') return undefined;
  return { serviceName: values.OTEL_SERVICE_NAME };
}
