/** Every setting but those of tracing and replicas: its name, default, limits and meaning. Reads no environment: config.ts does. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseAdminPasswordHash } from '../admin-password.js';
import { LABEL_CATEGORIES, UNREADABLE } from '../moderation/categories.js';
import { inPackage } from './package-version.js';
import { usableProcessors } from './processors.js';
import { setting, wholeNumber, type Setting } from './setting.js';

const categoryList = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  .pipe(
    z.array(
      z.enum(LABEL_CATEGORIES, {
        error: ({ input }) =>
          input === UNREADABLE
            ? 'must not name "unreadable": whether such texts pass is for the setting UNREADABLE to say (fail or pass)'
            : `must be a comma-separated list of these, or "none": ${LABEL_CATEGORIES.join(', ')}`,
      }),
    ),
  );

/** The names are those of well-known networks, as @fastify/proxy-addr knows them. Nobody trusts all addresses: a client could then claim any. */
function isProxy(value: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true;
  const [address = '', prefix] = value.split('/');
  // ipaddr.js takes "1" for 0.0.0.1, and proxy-addr refuses to trust everybody ("/0").
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress && (prefix === undefined || (ipaddr.isValidCIDR(value) && Number(prefix) > 0));
}

/** The README's table is tested against this object. */
export const SETTINGS = {
  HOST: setting({
    schema: z.string(),
    default: '127.0.0.1',
    meaning: 'Address to listen on. `0.0.0.0` opens the service to other machines (the Docker image does).',
  }),
  PORT: setting({
    schema: wholeNumber(0, 65_535),
    default: '3000',
    meaning: 'Port to listen on; 0 takes a free one and logs it.',
  }),
  PARAPET_HOME: setting({
    schema: z.string(),
    default: 'data',
    meaning: 'Folder of all that is kept: keys, policies, statistics. By default beside where the service was started.',
  }),
  KEYS_FILE: setting({
    schema: z.string(),
    default: '',
    defaultShown: '`keys.json` in `PARAPET_HOME`',
    meaning: 'File of hashed API keys, shared by all servers and the `keys` command; the others lie beside it.',
  }),
  MODEL_DIR: setting({
    schema: z.string(),
    default: inPackage('models/parapet-multi'),
    defaultShown: '`models/parapet-multi` of the package',
    meaning:
      'Folder of the model: `manifest.json` and the files that it names. `models/parapet-en` reads English alone.',
  }),
  INFERENCE_THREADS: setting({
    schema: wholeNumber(1, 256),
    default: String(usableProcessors()),
    defaultShown: 'cores, or the container’s limit',
    meaning: 'Worker threads, each with a model of its own (about 75 MB). More than cores gains nothing.',
  }),
  MAX_QUEUE: setting({
    schema: wholeNumber(0, 100_000),
    default: '128',
    meaning:
      'Texts that may wait for a worker. Beyond it the project that has most of them gets 503 with `Retry-After`.',
  }),
  CACHE_MAX_ENTRIES: setting({
    schema: wholeNumber(0, 10_000_000),
    default: '10000',
    meaning: 'Verdicts kept for texts seen before (about 2 kB each, no text is kept); 0 turns the cache off.',
  }),
  RATE_LIMIT_PER_MINUTE: setting({
    schema: wholeNumber(0, 100_000_000),
    default: '60000',
    meaning: 'Requests a minute for each key, unless the key carries its own limit; 0 turns limits off.',
  }),
  FAILED_KEYS_PER_MINUTE: setting({
    schema: wholeNumber(0, 100_000_000),
    default: '6000',
    meaning:
      'Requests a minute without a valid key from one address before they get 429 in place of 401; 0 turns it off.',
  }),
  TRUST_PROXY: setting({
    schema: z
      .string()
      .transform((value) => (value === 'off' ? [] : value.split(',').map((proxy) => proxy.trim())))
      .refine((proxies) => proxies.every(isProxy), {
        error:
          'must be "off", or addresses and networks of your proxies, separated by commas: 10.0.0.0/8, ::1, loopback, linklocal, uniquelocal',
      }),
    default: 'off',
    meaning:
      'Proxies that are believed about a client’s address (`X-Forwarded-For`): their addresses or networks, or `off`.',
  }),
  PASS_MAX_SCORE: setting({
    schema: wholeNumber(0, 10),
    default: '3',
    meaning: 'Highest score that passes. 3 is the end of the Safe band.',
  }),
  BLOCK_CATEGORIES: setting({
    schema: z
      .string()
      .transform((value) => (value.trim() === 'none' ? '' : value))
      .pipe(categoryList),
    default: 'threat,hate,sexual,self_harm,spam',
    meaning: 'Categories that fail a text at any score, separated by commas; `none` for no such category.',
  }),
  UNREADABLE: setting({
    schema: z.enum(['fail', 'pass']),
    default: 'fail',
    meaning:
      'What becomes of a text that is mostly in scripts or a language that the model does not know: `fail`, or `pass` if what was read passes.',
  }),
  LOG_LEVEL: setting({
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    meaning: 'Least level that is logged. No level logs texts, metadata or keys.',
  }),
  METRICS: setting({
    schema: z.union([
      z.enum(['off', 'public'], { error: 'must be "off", "public" or a port number' }),
      wholeNumber(1, 65_535),
    ]),
    default: 'off',
    meaning:
      'Prometheus metrics at `/metrics`: `off`, `public` (on the service’s port, no key), or a port of their own.',
  }),
  ANSWER_TIMEOUT_SECONDS: setting({
    schema: wholeNumber(1, 3600),
    default: '60',
    meaning: 'How long a request may take in all, waiting included, before it gets 503 in place of a verdict.',
  }),
  ADMIN_PASSWORD_HASH: setting({
    schema: z.string().transform((value, context) => {
      if (value === 'none') return undefined;
      const hash = parseAdminPasswordHash(value);
      if (hash === undefined) {
        context.addIssue('must be "none", or what "npx parapet admin hash-password" printed, whole');
      }
      return hash;
    }),
    default: 'none',
    secret: true,
    meaning:
      'Turns the dashboard on: what `npx parapet admin hash-password` printed. Without it a password set by `admin set-password` counts. `ADMIN_PASSWORD_HASH_FILE` is a file that holds it.',
  }),
  SHUTDOWN_TIMEOUT_SECONDS: setting({
    schema: wholeNumber(1, 3600),
    default: '25',
    meaning: 'How long accepted requests may take to be answered after SIGTERM before the process gives up.',
  }),
} satisfies Record<string, Setting<z.ZodType>>;
