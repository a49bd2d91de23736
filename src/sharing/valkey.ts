/** The connection to Valkey or Redis. What it is for, others know. */
import { Redis } from 'iovalkey';
import { createAsking, type Asking, type OnProblem } from './asking.js';

export interface Valkey {
  readonly client: Redis;
  readonly asking: Asking;
}

const CONNECT_TIMEOUT_MS = 1000;
/** Of a connection that is asked something and says nothing. */
const SILENCE_MS = 1000;
const LONGEST_PAUSE_MS = 1000;

/** Does not connect: `client.connect()` does, and again whenever the connection breaks. */
export function connectValkey(url: string, onProblem: OnProblem): Valkey {
  const asking = createAsking(onProblem);
  const client = new Redis(url, {
    lazyConnect: true,
    connectionName: 'parapet',
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy: (attempt) => Math.min(50 * attempt, LONGEST_PAUSE_MS),
    // Nobody waits for a connection, and nothing is asked twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // What was the primary is a replica now: the name may lead to another.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
  client.on('error', (error) => asking.failed(error));
  client.on('ready', () => asking.answered());
  return { client, asking };
}
