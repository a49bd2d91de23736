/** Where somebody is signed in, with the button that ends it. */
import type { SessionOnTheWire } from '../../people/people-schemas.js';
import { announce } from './announce.js';
import { send } from './api.js';
import { FoldingTable } from './folding-table.js';
import { momentOf } from './words.js';

interface SessionTableProps {
  readonly sessions: readonly SessionOnTheWire[];
  /** Of the API, under which each is ended. */
  readonly path: string;
  readonly onProblem: (error: unknown) => void;
  readonly refresh: () => Promise<void>;
}

const HEADINGS = ['Who', 'Browser', 'Address', 'Since', 'Last use'];

export function SessionTable({ sessions, path, onProblem, refresh }: SessionTableProps) {
  async function end(id: string): Promise<void> {
    try {
      await send('DELETE', `${path}/${id}`);
      announce('Session ended');
      await refresh();
    } catch (error) {
      onProblem(error);
    }
  }
  const rows = sessions.map(({ id, name, role, agent, address, startedAt, usedAt, current }) => ({
    key: id,
    head: (
      <>
        <span class="name">
          {name} {current && <span class="badge active">this one</span>}
        </span>
        <small>{role}</small>
      </>
    ),
    cells: [browserOf(agent), address, momentOf(startedAt), momentOf(usedAt)],
    buttons: current ? (
      ''
    ) : (
      <button
        type="button"
        class="quiet danger"
        aria-label={`End the session of ${name} since ${momentOf(startedAt)}`}
        onClick={() => void end(id)}
      >
        End
      </button>
    ),
  }));
  return <FoldingTable headings={HEADINGS} rows={rows} />;
}

const BROWSERS = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const SYSTEM = /Windows|Android|iPhone|iPad|Mac OS X|Linux/;

/** "Firefox on Linux"; another program by what it calls itself. */
function browserOf(agent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  if (browser === undefined) return agent === '' ? 'unknown' : agent.slice(0, 60);
  const [system] = SYSTEM.exec(agent) ?? [];
  return system === undefined ? browser : `${browser} on ${system.replace(' OS X', '')}`;
}
