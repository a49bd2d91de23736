/**
 * What callers wait for who come when they come: replicas of the service as queues, event by event. A replica has cores, which its HTTP threads take
 * before its workers do (those are nicer), and each of its processes has one HTTP thread and one queue for its workers.
 */
import { createSchedule } from '../load/generator/arrivals.js';
import { createRandom } from '../robustness/random.js';

export interface Replicas {
  readonly replicas: number;
  readonly cores: number;
  /** Of each replica; they take turns at its requests. */
  readonly processes: number;
  /** Of each process. */
  readonly workers: number;
  readonly balancer: 'round-robin' | 'least-connections';
}

/** Of processor time. */
export interface Costs {
  /** Of the HTTP thread for a request, half of it before the verdict. */
  readonly httpMs: number;
  /** Of a worker for a text alone: a sample, of which each text draws one. */
  readonly workerMs: readonly number[];
  /** By how many texts are judged together, in parts of what they cost alone. So many go together at most. */
  readonly together: readonly number[];
}

export interface Load {
  readonly perSecond: number;
  readonly requests: number;
  readonly seed: number;
}

export interface Predicted {
  /** From arrival to answer, ascending; without the first tenth, which found the queues empty. */
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

/** Jobs share the cores: first those of HTTP, then all others alike. */
function createMachine(cores: number) {
  const jobs = new Set<Job>();
  let atMs = 0;

  function speeds() {
    let https = 0;
    for (const { isHttp } of jobs) if (isHttp) https += 1;
    return { http: Math.min(1, cores / https), others: Math.min(1, Math.max(0, cores - https) / (jobs.size - https)) };
  }

  return {
    run: (job: Job) => jobs.add(job),
    /** When its next job is done, if nothing comes before. */
    nextMs(): number {
      const { http, others } = speeds();
      let soonestMs = Infinity;
      for (const { isHttp, leftMs } of jobs) soonestMs = Math.min(soonestMs, leftMs / (isHttp ? http : others));
      return atMs + soonestMs;
    },
    /** Lets its jobs go on until then, which is not after the next of them is done. */
    advance(toMs: number): void {
      const { http, others } = speeds();
      for (const job of jobs) job.leftMs -= (toMs - atMs) * (job.isHttp ? http : others);
      atMs = toMs;
      // What is left by rounding is nothing.
      const over = [...jobs].filter(({ leftMs }) => leftMs < 1e-9);
      for (const job of over) jobs.delete(job);
      for (const job of over) job.done();
    },
  };
}

/** @returns what takes a request */
function createProcess(run: (job: Job) => void, workers: number, costs: Costs, onAnswer: (of: Request) => void) {
  const { httpMs, together } = costs;
  const http: (() => void)[] = [];
  const waiting: Request[] = [];
  let free = workers;

  function nextHttp(): void {
    const [then] = http;
    if (then === undefined) return;
    const done = (): void => {
      http.shift();
      then();
      nextHttp();
    };
    run({ isHttp: true, leftMs: httpMs / 2, done });
  }

  function onHttp(then: () => void): void {
    if (http.push(then) === 1) nextHttp();
  }

  /** As src/inference/workers/scheduler.ts shares out what waits. */
  function dispatch(): void {
    while (free > 0 && waiting.length > 0) {
      const count = Math.min(together.length, Math.ceil(waiting.length / (2 * workers)));
      const taken = waiting.splice(0, count);
      const aloneMs = taken.reduce((sum, { workerMs }) => sum + workerMs, 0);
      const done = (): void => {
        free += 1;
        for (const request of taken) onHttp(() => onAnswer(request));
        dispatch();
      };
      free -= 1;
      run({ isHttp: false, leftMs: aloneMs * (together[count - 1] ?? 1), done });
    }
  }

  return (request: Request): void =>
    onHttp(() => {
      waiting.push(request);
      dispatch();
    });
}

export function simulate(of: Replicas, costs: Costs, { perSecond, requests, seed }: Load): Predicted {
  const random = createRandom(seed);
  const schedule = createSchedule('poisson', perSecond, seed + 1);
  const latenciesMs: number[] = [];
  let nowMs = 0;
  const all = Array.from({ length: of.replicas }, () => {
    const machine = createMachine(of.cores);
    const onAnswer = ({ arrivedMs }: Request): void => {
      replica.open -= 1;
      latenciesMs.push(nowMs - arrivedMs);
    };
    const create = () => createProcess(machine.run, of.workers, costs, onAnswer);
    const replica = { machine, processes: Array.from({ length: of.processes }, create), open: 0, turn: 0 };
    return replica;
  });

  function arrive(count: number): void {
    const fewest = Math.min(...all.map(({ open }) => open));
    const replica = of.balancer === 'round-robin' ? all[count % all.length] : all.find(({ open }) => open === fewest);
    if (replica === undefined) throw new RangeError('there is no replica');
    replica.open += 1;
    replica.turn += 1;
    replica.machine.advance(nowMs);
    replica.processes[replica.turn % of.processes]?.({ arrivedMs: nowMs, workerMs: random.pick(costs.workerMs) });
  }

  let arrivalMs = schedule.next();
  for (let count = 0; latenciesMs.length < requests;) {
    const nexts = all.map(({ machine }) => machine.nextMs());
    const soonestMs = Math.min(...nexts);
    if (count < requests && arrivalMs <= soonestMs) {
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
    latenciesMs: Float64Array.from(latenciesMs.slice(Math.floor(requests / 10))).sort(),
    answersPerSecond: (1000 * requests) / nowMs,
  };
}
