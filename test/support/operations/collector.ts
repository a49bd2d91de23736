/** A collector of traces on this machine: takes OTLP over HTTP as JSON and keeps the spans. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(attribute),
  status: z.object({ code: z.int().optional() }),
});

const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

export type CollectedSpan = z.output<typeof spanSchema> & {
  /** Of the resource too, without their types. */
  readonly values: Readonly<Record<string, unknown>>;
};

export interface Collector {
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything as it arrived, to search in. */
  readonly received: () => string;
  readonly headers: readonly IncomingHttpHeaders[];
  close(): Promise<void>;
}

/** @param answer `nothing`: takes connections and never answers */
export async function startCollector(answer: 'ok' | 'nothing' = 'ok'): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: unknown[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      bodies.push(body);
      headers.push(request.headers);
      for (const { resource, scopeSpans } of exportSchema.parse(body).resourceSpans) {
        for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
          spans.push({ ...span, values: valuesOf([...resource.attributes, ...span.attributes]) });
        }
      }
      if (answer === 'ok') response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    received: () => JSON.stringify(bodies),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function valuesOf(attributes: readonly z.output<typeof attribute>[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
