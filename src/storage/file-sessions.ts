/** Who is signed in to the dashboard, in a file: one sign-in holds in every server that shares the folder, and after a restart. */
import { z } from 'zod';
import type { FileVersion } from './file-version.js';
import { JsonFile } from './json-file.js';
import type { SessionLimits, SessionRecord, SessionRepository } from './store.js';

const VERSION = 1;

const time = z.iso.datetime().transform((at) => new Date(at));

const schema = z.object({
  version: z.literal(VERSION),
  /** By the hash of their ids. */
  sessions: z
    .record(z.string(), z.object({ startedAt: time, usedAt: time }))
    .transform((sessions) => new Map(Object.entries(sessions))),
});

interface SessionFileContents {
  readonly version: typeof VERSION;
  readonly sessions: ReadonlyMap<string, SessionRecord>;
}

export function openSessionFile(path: string, ownedLike: () => FileVersion): SessionRepository {
  const file = new JsonFile<SessionFileContents>({
    path,
    name: 'file of sessions',
    version: VERSION,
    empty: { version: VERSION, sessions: new Map() },
    parse: (content) => schema.parse(content),
    encode: ({ version, sessions }) => ({ version, sessions: Object.fromEntries(sessions) }),
    remedy: 'Remove it: everybody signs in anew.',
    ownedLike,
    // Whoever signs in anew needs no word of what the file was.
    onSetAside: () => undefined,
  });

  /** @param edit gives the very sessions that it gets where there is nothing to change */
  const change = (
    edit: (sessions: SessionFileContents['sessions']) => SessionFileContents['sessions'],
  ): Promise<void> =>
    file.change((current) => {
      const sessions = edit(current.sessions);
      return { next: sessions === current.sessions ? current : { ...current, sessions }, result: undefined };
    });

  return {
    find: (idHash) => Promise.resolve().then(() => file.read().sessions.get(idHash)),
    start: (idHash, at, limits) =>
      change((sessions) => new Map([...latestOf(sessions, at, limits), [idHash, { startedAt: at, usedAt: at }]])),
    use: (idHash, at) =>
      change((sessions) => {
        const before = sessions.get(idHash);
        return before === undefined ? sessions : new Map(sessions).set(idHash, { ...before, usedAt: at });
      }),
    end: (idHash) =>
      change((sessions) =>
        sessions.has(idHash) ? new Map([...sessions].filter(([each]) => each !== idHash)) : sessions,
      ),
  };
}

/** With a place for one more. */
function latestOf(
  sessions: ReadonlyMap<string, SessionRecord>,
  at: Date,
  { idleMs, absoluteMs, most }: SessionLimits,
): (readonly [string, SessionRecord])[] {
  return [...sessions]
    .filter(
      ([, { startedAt, usedAt }]) =>
        at.getTime() - usedAt.getTime() < idleMs && at.getTime() - startedAt.getTime() < absoluteMs,
    )
    .sort(([, one], [, other]) => other.usedAt.getTime() - one.usedAt.getTime())
    .slice(0, most - 1);
}
