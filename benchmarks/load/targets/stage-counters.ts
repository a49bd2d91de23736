/** Where the service's time goes, from the sums that it keeps at /metrics. */

/** Sums since the start of the service. */
export interface StageCounters {
  readonly requests: number;
  readonly totalSeconds: number;
  readonly queueSeconds: number;
  readonly tokenizeSeconds: number;
  readonly inferSeconds: number;
}

/** Mean milliseconds of a request in each stage. */
export interface StageTimes {
  readonly totalMs: number;
  /** Waiting for a worker, and messages to it and back. */
  readonly queueMs: number;
  readonly tokenizeMs: number;
  /** Arithmetic of all workers together: of a long text more than the time that passed. */
  readonly inferMs: number;
  /** HTTP, key, validation, cache, de-obfuscation, verdict. `null` where work side by side leaves no meaning to a difference. */
  readonly restMs: number | null;
}

/** @returns null where the service does not answer: what became of it shows in the errors of the load */
export async function readStageCounters(metricsUrl: string): Promise<StageCounters | null> {
  try {
    const response = await fetch(metricsUrl);
    return parseStageCounters(await response.text());
  } catch {
    return null;
  }
}

/** @param page in the text format of Prometheus */
export function parseStageCounters(page: string): StageCounters {
  const valueOf = (series: string): number => {
    const line = page.split('\n').find((candidate) => candidate.startsWith(`${series} `));
    return line === undefined ? 0 : Number(line.slice(series.length + 1));
  };
  const stage = (name: string): number => valueOf(`parapet_stage_duration_seconds_sum{stage="${name}"}`);
  const request = (part: 'sum' | 'count'): number =>
    valueOf(`parapet_http_request_duration_seconds_${part}{method="POST",route="/v1/analyze",status="200"}`);
  return {
    requests: request('count'),
    totalSeconds: request('sum'),
    queueSeconds: stage('queue'),
    tokenizeSeconds: stage('tokenize'),
    inferSeconds: stage('infer'),
  };
}

/** @returns null if nothing was answered in between */
export function stageTimesBetween(before: StageCounters, after: StageCounters): StageTimes | null {
  const requests = after.requests - before.requests;
  if (requests === 0) return null;
  const mean = (sum: Exclude<keyof StageCounters, 'requests'>): number =>
    (1000 * (after[sum] - before[sum])) / requests;
  const [totalMs, queueMs] = [mean('totalSeconds'), mean('queueSeconds')];
  const [tokenizeMs, inferMs] = [mean('tokenizeSeconds'), mean('inferSeconds')];
  const restMs = totalMs - queueMs - tokenizeMs - inferMs;
  return { totalMs, queueMs, tokenizeMs, inferMs, restMs: restMs < 0 ? null : restMs };
}
