/** What a supervisor and the service processes that it starts send each other. */

/** What a registry of prom-client says of itself as JSON. */
export type MetricsOfOne = readonly object[];

export type ToSupervisor =
  /** It takes requests. */
  | { readonly kind: 'ready' }
  /** For the metrics of all others. */
  | { readonly kind: 'collect'; readonly request: number }
  | { readonly kind: 'metrics'; readonly request: number; readonly metrics: MetricsOfOne };

export type FromSupervisor =
  | { readonly kind: 'tell metrics'; readonly request: number }
  | { readonly kind: 'collected'; readonly request: number; readonly metrics: readonly MetricsOfOne[] };
