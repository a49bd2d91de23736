/** What a failure of PostgreSQL or of a connection to it means: whether to ask again, and what an operator is told. */
import { OperatorError } from '../../errors.js';

/** The question was not answered; a change may have been made all the same. The message is fit for operators. */
export class DatabaseAway extends OperatorError {}

/** read_only_sql_transaction */
export const TAKES_NO_WRITES = '25006';

/** The server was not reached, or took no work. */
const NEVER_BEGUN = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'CONNECT_TIMEOUT',
  // That of the driver for a server that takes no writes.
  'CONNECTION_DESTROYED',
  // cannot_connect_now: it starts, stops or recovers.
  '57P03',
  // too_many_connections
  '53300',
]);

/** Nothing of what was asked was done. */
export function isNeverBegun(code: string): boolean {
  return NEVER_BEGUN.has(code);
}

/** Another server, or another connection, may answer. 08: connection exceptions; 57P01, 57P02: shut down, crashed. */
export function isOfServer(code: string): boolean {
  return isNeverBegun(code) || code === TAKES_NO_WRITES || /^(?:08...|57P0[12]|CONNECTION_\w+|E[A-Z]+)$/.test(code);
}

const NO_SCHEMA = 'has no schema of Parapet: run "npx parapet migrate"';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'has a name that is not known',
  CONNECT_TIMEOUT: 'gave no answer to a connection',
  CONNECTION_CLOSED: 'closed the connection',
  CONNECTION_DESTROYED: 'takes no writes, or closed the connection',
  [TAKES_NO_WRITES]: 'takes no writes',
  '28P01': 'refuses the password of DATABASE_URL',
  '28000': 'refuses the user of DATABASE_URL',
  '3D000': 'has no such database',
  '3F000': NO_SCHEMA,
  '42P01': NO_SCHEMA,
  '42501': 'gives the user of DATABASE_URL too few rights',
  '53100': 'has a full disk',
  '53300': 'has no connection left',
  '57014': 'took too long and was told to stop',
  '57P01': 'was shut down',
  '57P03': 'is starting or stopping',
};

/** Of the driver's message nothing: it can hold a value of a row, or a part of the address. */
export function failureOf(location: string, code: string): string {
  return `${location} ${REASONS[code] ?? 'failed'} (${code}).`;
}

/** What the driver is told of a connection that we end. */
export function closedConnection(): Error {
  return Object.assign(new Error('The connection was closed.'), { code: 'CONNECTION_CLOSED' });
}
