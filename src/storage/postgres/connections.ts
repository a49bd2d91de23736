/** Connections to one of the servers of an address, through sockets that can be given up. Knows no question. */
import { connect as openSocket, type Socket } from 'node:net';
import postgres from 'postgres';
import type { Address, Host } from './address.js';
import { closedConnection } from './failures.js';

export type Sql = postgres.Sql;

/** Which of the servers is asked. */
export interface Choice {
  readonly current: () => number;
  /** Goes on to the next one, unless somebody has done so since `asked`. */
  readonly leave: (asked: number) => void;
}

export interface Connections {
  sql(): Sql;
  /** Ends them all, with what is asked on them; the next question opens others. */
  giveUp(): void;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_SECONDS = 1;
const RECONNECT_AFTER_SECONDS = 0.1;
const CLOSE_TIMEOUT_SECONDS = 1;

export function createChoice(): Choice {
  let chosen = 0;
  return {
    current: () => chosen,
    leave(asked) {
      if (chosen === asked) chosen += 1;
    },
  };
}

/** The driver with its own connections, and the sockets that it has opened. */
class Driver {
  readonly sql: Sql;
  readonly #sockets = new Set<Socket>();
  #isGivenUp = false;

  constructor({ hosts, driverUrl }: Address, choice: Choice, most: number) {
    const options = {
      // The driver would try several hosts by itself, without a pause and without an end.
      host: 'localhost',
      max: most,
      connect_timeout: CONNECT_TIMEOUT_SECONDS,
      backoff: () => RECONNECT_AFTER_SECONDS,
      fetch_types: false,
      // A standby would answer with what was so a while ago.
      target_session_attrs: 'read-write' as const,
      transform: { undefined: null, column: { from: postgres.toCamel, to: postgres.fromCamel } },
      connection: { application_name: 'parapet', DateStyle: 'ISO, MDY' },
      onnotice: () => undefined,
      // Known to the driver, and not to its types.
      socket: () => this.#openTo(hosts[choice.current() % hosts.length] ?? hosts[0]),
    };
    this.sql = postgres(driverUrl, options);
  }

  #openTo({ host, port }: Host): Socket {
    const socket = host.startsWith('/') ? openSocket(`${host}/.s.PGSQL.${port}`) : openSocket(port, host);
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => this.#sockets.delete(socket));
    // The driver takes a clean end while it signs in for a reason to try again at once, for ever.
    socket.once('end', () => socket.destroy(closedConnection()));
    if (this.#isGivenUp) setImmediate(() => this.#destroySockets());
    // The driver looks for the name of the certificate there.
    return Object.assign(socket, { host, port });
  }

  #destroySockets(): void {
    for (const socket of this.#sockets) {
      socket.on('error', () => undefined);
      socket.destroy(closedConnection());
    }
  }

  /** One that hangs would else hold its questions for as long as TCP does, a quarter of an hour. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#destroySockets();
    void this.sql.end({ timeout: 0 });
  }

  async close(): Promise<void> {
    await this.sql.end({ timeout: CLOSE_TIMEOUT_SECONDS });
    this.giveUp();
  }
}

/** Opened by the first questions. @param most at a time */
export function openConnections(address: Address, choice: Choice, most: number): Connections {
  let driver = new Driver(address, choice, most);
  return {
    sql: () => driver.sql,
    giveUp() {
      driver.giveUp();
      // A driver whose connection is asked while it closes may hang for ever (3.4.9 clears the timer of a write, and still waits for it).
      driver = new Driver(address, choice, most);
    },
    close: () => driver.close(),
  };
}
