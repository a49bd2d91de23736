/**
 * What callers wait for when they come when they come: replicas of the service as queues, event by event. Each has cores, which its HTTP threads take
 * before its workers do (those are nicer), and each of its processes one HTTP thread and one queue for its workers.
 */
import { createSchedule } from '../load/generator/arrivals.js';
import { createRandom } from '../robustness/random.js';

export interface Replicas {
  readonly replicas: number;
  /** Of each replica, whose processes take turns at its requests. */
  readonly processes: number;
  readonly cores: number;
  /** Of each process. */
  readonly workers: number;
  readonly balancer: 'round-robin' | 'least-connections';
}

export interface Costs {
  /** Processor time of the HTTP thread a request, half of it before the verdict. */
  readonly httpMs: number;
  /** Processor time of a worker for a text alone; a sample, of which each text draws one. */
  readonly workerMs: readonly number[];
  /** What texts cost that are judged together, by how many there are, in parts of what they cost alone. As many as are given go together. */
  readonly together: readonly number[];
}

export interface Load {
  readonly perSecond: number;
  readonly requests: number;
  readonly seed: number;
}

export interface Predicted {
  /** From arrival to answer, ascending; without the first tenth, of requests that found the queues empty. */
  readonly latenciesMs: Float64Array;
  readonly answersPerSecond: number;
}

interface Request {
  readonly arrivedMs: number;
  readonly workerMs: number;
}

/** Something that needs a core. */
interface Job {
  readonly isHttp: boolean;
  leftMs: number;
  readonly done: () => void;
}

interface Machine {
  /** When its next job is done, if nothing comes before. */
  nextMs(): number;
  /** Lets its jobs go on until then, and ends what is done. */
  advance(toMs: number): void;
  run(job: Job): void;
}

/** Jobs share the cores: first those of HTTP, then all others alike. */
function createMachine(cores: number): Machine {
  const jobs = new Set<Job>();
  let atMs = 0;

  function speeds(): { readonly http: number; readonly others: number } {
    let https = 0;
    for (const { isHttp } of jobs) if (isHttp) https += 1;
    return { http: Math.min(1, cores / https), others: Math.min(1, Math.max(0, cores - https) / (jobs.size - https)) };
  }

  function nextMs(): number {
    const { http, others } = speeds();
    let soonestMs = Infinity;
    for (const { isHttp, leftMs } of jobs) soonestMs = Math.min(soonestMs, leftMs / (isHttp ? http : others));
    return atMs + soonestMs;
  }

  return {
    nextMs,
    advance(toMs) {
      const { http, others } = speeds();
      const isEnd = nextMs() <= toMs;
      const done: Job[] = [];
      for (const job of jobs) {
        job.leftMs -= (toMs - atMs) * (job.isHttp ? http : others);
        // What is over by rounding is over.
        if (isEnd && job.leftMs < 1e-9) done.push(job);
      }
      atMs = toMs;
      for (const job of done) jobs.delete(job);
      for (const job of done) job.done();
    },
    run: (job) => jobs.add(job),
  };
}

interface Process {
  take(request: Request): void;
}

function createProcess(
  machine: Machine,
  workers: number,
  { httpMs, together }: Costs,
  onAnswer: (of: Request) => void,
) {
  const http: { readonly ms: number; readonly then: () => void }[] = [];
  const waiting: Request[] = [];
  let isHttpBusy = false;
  let free = workers;

  function nextHttp(): void {
    const next = isHttpBusy ? undefined : http.shift();
    if (next === undefined) return;
    isHttpBusy = true;
    machine.run({
      isHttp: true,
      leftMs: next.ms,
      done() {
        isHttpBusy = false;
        next.then();
        nextHttp();
      },
    });
  }

  function onHttp(then: () => void): void {
    http.push({ ms: httpMs / 2, then });
    nextHttp();
  }

  /** As src/inference/workers/scheduler.ts shares out what waits. */
  function dispatch(): void {
    while (free > 0 && waiting.length > 0) {
      const count = Math.min(together.length, Math.ceil(waiting.length / (2 * workers)));
      const taken = waiting.splice(0, count);
      const aloneMs = taken.reduce((sum, { workerMs }) => sum + workerMs, 0);
      free -= 1;
      machine.run({
        isHttp: false,
        leftMs: aloneMs * (together[count - 1] ?? 1),
        done() {
          free += 1;
          for (const request of taken) onHttp(() => onAnswer(request));
          dispatch();
        },
      });
    }
  }

  return {
    take: (request: Request) =>
      onHttp(() => {
        waiting.push(request);
        dispatch();
      }),
  };
}

export function simulate(
  { replicas, processes, cores, workers, balancer }: Replicas,
  costs: Costs,
  load: Load,
): Predicted {
  const random = createRandom(load.seed);
  const schedule = createSchedule('poisson', load.perSecond, load.seed + 1);
  const latenciesMs: number[] = [];
  let nowMs = 0;
  const all = Array.from({ length: replicas }, () => {
    const machine = createMachine(cores);
    const replica = { machine, processes: [] as Process[], open: 0, turn: 0 };
    const onAnswer = ({ arrivedMs }: Request): void => {
      replica.open -= 1;
      latenciesMs.push(nowMs - arrivedMs);
    };
    for (let index = 0; index < processes; index += 1) {
      replica.processes.push(createProcess(machine, workers, costs, onAnswer));
    }
    return replica;
  });

  function arrive(count: number): void {
    const [first] = all.toSorted((one, other) => one.open - other.open);
    const replica = balancer === 'round-robin' ? all[count % all.length] : first;
    if (replica === undefined) throw new RangeError('there is no replica');
    replica.open += 1;
    replica.machine.advance(nowMs);
    const process = replica.processes[replica.turn++ % processes];
    process?.take({ arrivedMs: nowMs, workerMs: random.pick(costs.workerMs) });
  }

  let arrivalMs = schedule.next();
  for (let count = 0; latenciesMs.length < load.requests;) {
    const nexts = all.map(({ machine }) => machine.nextMs());
    const soonestMs = Math.min(...nexts);
    if (count < load.requests && arrivalMs <= soonestMs) {
      nowMs = arrivalMs;
      arrive(count);
      count += 1;
      arrivalMs = schedule.next();
    } else {
      nowMs = soonestMs;
      all[nexts.indexOf(soonestMs)]?.machine.advance(nowMs);
    }
  }
  return {
    latenciesMs: Float64Array.from(latenciesMs.slice(Math.floor(load.requests / 10))).sort(),
    answersPerSecond: (1000 * load.requests) / nowMs,
  };
}
