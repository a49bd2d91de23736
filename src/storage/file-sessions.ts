/**
 * Who is signed in to the dashboard, in a file: one sign-in holds in every server that shares the folder, and after a restart. In a folder that cannot be
 * written it holds in this server alone.
 */
import { z } from 'zod';
import { OperatorError } from '../errors.js';
import type { FileVersion } from './file-version.js';
import { JsonFile } from './json-file.js';
import type { SessionLimits, SessionRecord, SessionRepository } from './store.js';
import { readOr } from './write-behind.js';

const VERSION = 1;

const time = z.iso.datetime().transform((at) => new Date(at));

const schema = z.object({
  version: z.literal(VERSION),
  /** By the hash of their ids. */
  sessions: z
    .record(z.string(), z.object({ startedAt: time, usedAt: time }))
    .transform((sessions) => new Map(Object.entries(sessions))),
});

type Sessions = ReadonlyMap<string, SessionRecord>;

interface SessionFileContents {
  readonly version: typeof VERSION;
  readonly sessions: Sessions;
}

const NO_SESSIONS: SessionFileContents = { version: VERSION, sessions: new Map() };

export function openSessionFile(path: string, ownedLike: () => FileVersion): SessionRepository {
  const file = new JsonFile<SessionFileContents>({
    path,
    name: 'file of sessions',
    version: VERSION,
    empty: NO_SESSIONS,
    parse: (content) => schema.parse(content),
    encode: ({ version, sessions }) => ({ version, sessions: Object.fromEntries(sessions) }),
    remedy: 'The next sign-in begins a new one.',
    ownedLike,
    // Whoever signs in anew needs no word of what the file was.
    onSetAside: () => undefined,
  });
  /** Those that could not be written. */
  let own: Sessions = new Map();

  /** @param edit gives the very sessions that it gets where there is nothing to change */
  const change = (edit: (sessions: Sessions) => Sessions): Promise<void> =>
    file.change((current) => {
      const sessions = edit(current.sessions);
      return { next: sessions === current.sessions ? current : { ...current, sessions }, result: undefined };
    });

  return {
    // Where it cannot be read, nobody is signed in.
    find: (idHash) => Promise.resolve(own.get(idHash) ?? readOr(file, NO_SESSIONS).sessions.get(idHash)),

    async start(idHash, at, limits) {
      const started = (sessions: Sessions): Sessions =>
        new Map([...leftOf(sessions, at, limits), [idHash, { startedAt: at, usedAt: at }]]);
      try {
        await change(started);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        own = started(own);
      }
    },

    async use(idHash, at) {
      const used = (sessions: Sessions): Sessions => {
        const before = sessions.get(idHash);
        return before === undefined ? sessions : new Map(sessions).set(idHash, { ...before, usedAt: at });
      };
      own = used(own);
      if (own.has(idHash)) return;
      // What could not be written ends earlier.
      await change(used).catch((error: unknown) => {
        if (!(error instanceof OperatorError)) throw error;
      });
    },

    async end(idHash) {
      own = without(own, idHash);
      if (readOr(file, NO_SESSIONS).sessions.has(idHash)) await change((sessions) => without(sessions, idHash));
    },
  };
}

function without(sessions: Sessions, idHash: string): Sessions {
  return new Map([...sessions].filter(([each]) => each !== idHash));
}

/** Those that are not over, with a place for one more. */
function leftOf(sessions: Sessions, at: Date, { idleMs, absoluteMs, most }: SessionLimits): [string, SessionRecord][] {
  return [...sessions]
    .filter(
      ([, { startedAt, usedAt }]) =>
        at.getTime() - usedAt.getTime() < idleMs && at.getTime() - startedAt.getTime() < absoluteMs,
    )
    .sort(([, one], [, other]) => other.usedAt.getTime() - one.usedAt.getTime())
    .slice(0, most - 1);
}
