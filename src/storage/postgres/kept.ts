/** What was read of the database, kept by name until it changes. Knows nothing of what it is. */
import { LRUCache } from 'lru-cache';

export interface KeptOptions<Value extends object> {
  readonly read: (name: string) => Promise<Value | undefined>;
  readonly most: number;
}

/** Strangers choose these names: what is not there is bounded on its own, and pushes nothing out that is. */
const MOST_ABSENT = 10_000;

export class Kept<Value extends object> {
  readonly #read: KeptOptions<Value>['read'];
  readonly #present: LRUCache<string, Value>;
  readonly #absent = new LRUCache<string, true>({ max: MOST_ABSENT });
  readonly #reading = new Map<string, Promise<Value | undefined>>();

  constructor({ read, most }: KeptOptions<Value>) {
    this.#read = read;
    this.#present = new LRUCache({ max: most });
  }

  /** At once where it is kept, and the same object each time. */
  of(name: string): Value | undefined | Promise<Value | undefined> {
    const value = this.#present.get(name);
    if (value !== undefined || this.#absent.get(name) === true) return value;
    return this.#reading.get(name) ?? this.#readAndKeep(name);
  }

  /** Of those that are there only the changed ones. What is being read in this moment may be older, and is not kept. */
  drop(isChanged: (value: Value, name: string) => boolean = () => true): void {
    this.#reading.clear();
    this.#absent.clear();
    for (const [name, value] of this.#present.entries()) if (isChanged(value, name)) this.#present.delete(name);
  }

  async #readAndKeep(name: string): Promise<Value | undefined> {
    const reading = this.#read(name);
    this.#reading.set(name, reading);
    const isPresent = (): boolean => this.#reading.get(name) === reading;
    try {
      const value = await reading;
      if (isPresent()) {
        if (value === undefined) this.#absent.set(name, true);
        else this.#present.set(name, value);
      }
      return value;
    } finally {
      if (isPresent()) this.#reading.delete(name);
    }
  }
}
