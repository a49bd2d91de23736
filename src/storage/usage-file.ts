/** When keys were last used, in a file of its own: use then changes nothing that a server must read anew. */
import { z } from 'zod';
import { JsonFile } from './json-file.js';

const VERSION = 2;

/** Milliseconds since 1970, by the id of the key; in the file ISO 8601. */
export type LastUses = ReadonlyMap<string, number>;

export interface UsageFileContents {
  readonly version: typeof VERSION;
  readonly uses: LastUses;
}

export const NO_USES: UsageFileContents = { version: VERSION, uses: new Map() };

const schema = z.object({
  version: z.literal(VERSION),
  uses: z
    .record(z.string(), z.iso.datetime())
    .transform((uses) => new Map(Object.entries(uses).map(([id, at]) => [id, Date.parse(at)]))),
});

export function openUsageFile(path: string, onSetAside: (message: string) => void): JsonFile<UsageFileContents> {
  return new JsonFile<UsageFileContents>({
    path,
    name: 'file of last uses',
    version: VERSION,
    empty: NO_USES,
    readEarlier: usesOfVersion1,
    parse: (content) => schema.parse(content),
    encode: ({ version, uses }) => ({
      version,
      uses: Object.fromEntries([...uses].map(([id, atMs]) => [id, new Date(atMs).toISOString()])),
    }),
    remedy: 'The next use of a key begins a new one.',
    onSetAside,
  });
}

/** Of two times for a key the later counts, since another server may have seen it last. */
export function latestUses(one: LastUses, other: LastUses): Map<string, number> {
  const latest = new Map(one);
  for (const [id, atMs] of other) latest.set(id, Math.max(atMs, latest.get(id) ?? 0));
  return latest;
}

/** A time that is still to come is of a clock that was ahead, and the use is over by now. */
export function usesUntil(uses: LastUses, now: Date): LastUses {
  return new Map([...uses].map(([id, atMs]) => [id, Math.min(atMs, now.getTime())]));
}

const lineSchema = z.object({ id: z.string(), lastUsedAt: z.iso.datetime() });

/** A line of JSON for each key, of which damaged ones counted for nothing. @returns undefined where no line is one of them */
function usesOfVersion1(text: string): unknown {
  const uses = text.split('\n').flatMap((line) => {
    const { data } = lineSchema.safeParse(jsonOrNothing(line));
    return data === undefined ? [] : [[data.id, data.lastUsedAt] as const];
  });
  return uses.length === 0 ? undefined : { version: VERSION, uses: Object.fromEntries(uses) };
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
