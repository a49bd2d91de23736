/**
 * How many texts are let in, and which makes room when there are too many: the newest of whoever holds most places. So a project that sends more than can
 * be judged is refused its own texts and nobody else's.
 */
import { ServiceError } from '../../errors.js';

export interface Holder {
  readonly project: string | undefined;
  /** Whether a worker has begun with it: then it makes room only where its project has nothing else. */
  readonly hasBegun: boolean;
}

export class Places<Text extends Holder> {
  readonly #projects = new Map<string | undefined, Set<Text>>();
  #taken = 0;

  constructor(readonly count: number) {}

  get taken(): number {
    return this.#taken;
  }

  /**
   * @returns the text that has lost its place to this one
   * @throws ServiceError `queue_full` where all are taken and no other project holds more of them than this one would
   */
  take(text: Text): Text | undefined {
    const displaced = this.#taken >= this.count ? this.#displacedBy(text) : undefined;
    if (displaced !== undefined) this.leave(displaced);
    const held = this.#projects.get(text.project);
    if (held === undefined) this.#projects.set(text.project, new Set([text]));
    else held.add(text);
    this.#taken += 1;
    return displaced;
  }

  /** Also of what has lost its place already. */
  leave(text: Text): void {
    const held = this.#projects.get(text.project);
    if (held?.delete(text) !== true) return;
    this.#taken -= 1;
    if (held.size === 0) this.#projects.delete(text.project);
  }

  #displacedBy({ project }: Text): Text {
    const [greediest] = [...this.#projects.values()].sort((one, other) => other.size - one.size);
    const own = this.#projects.get(project)?.size ?? 0;
    if (greediest === undefined || greediest.size <= own + 1) throw queueFull();
    const newestFirst = [...greediest].reverse();
    const chosen = newestFirst.find(({ hasBegun }) => !hasBegun) ?? newestFirst[0];
    if (chosen === undefined) throw queueFull();
    return chosen;
  }
}

export function queueFull(): ServiceError {
  return new ServiceError(
    'queue_full',
    'Too many texts are waiting to be judged. Try again after the time in Retry-After.',
    { retryAfterSeconds: 1 },
  );
}
