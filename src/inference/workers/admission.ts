/**
 * Bounds how many texts are accepted, and says who makes room when there are too many: whoever holds most places, with what came last.
 * So a project that sends more than can be judged is refused its own texts and nobody else's. Judges nothing, knows no queue.
 */
import { queueFull } from '../refusals.js';

export interface Admitted {
  readonly project: string | undefined;
  /** Whether a worker has begun with it: then it makes room only where its project has nothing else. */
  readonly hasBegun: boolean;
  /** Its place is taken from it. */
  refuse(error: Error): void;
}

export interface Admission {
  readonly size: number;
  /** @throws ServiceError `queue_full` where all places are taken and no other project holds more of them than this one would */
  admit(text: Admitted): void;
  /** Also for what was refused. */
  leave(text: Admitted): void;
}

export function createAdmission(places: number): Admission {
  const projects = new Map<string | undefined, Set<Admitted>>();
  let size = 0;

  function leave(text: Admitted): void {
    const held = projects.get(text.project);
    if (held?.delete(text) !== true) return;
    size -= 1;
    if (held.size === 0) projects.delete(text.project);
  }

  function makeRoomFor({ project }: Admitted): void {
    const [greediest] = [...projects.values()].sort((one, other) => other.size - one.size);
    const own = projects.get(project)?.size ?? 0;
    if (greediest === undefined || greediest.size <= own + 1) throw queueFull();
    const newestFirst = [...greediest].reverse();
    const chosen = newestFirst.find(({ hasBegun }) => !hasBegun) ?? newestFirst[0];
    if (chosen === undefined) throw queueFull();
    leave(chosen);
    chosen.refuse(queueFull());
  }

  return {
    get size() {
      return size;
    },
    admit(text) {
      if (size >= places) makeRoomFor(text);
      const held = projects.get(text.project);
      if (held === undefined) projects.set(text.project, new Set([text]));
      else held.add(text);
      size += 1;
    },
    leave,
  };
}
