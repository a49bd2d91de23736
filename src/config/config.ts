/** Reads all settings from the environment, once; everything else is handed a frozen Config. The only reader of process.env. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AdminPasswordHash } from '../admin-password.js';
import { errorCodeOf, OperatorError } from '../errors.js';
import { DECISION_SETTINGS } from './decision-settings.js';
import { REPLICA_SETTINGS } from './replica-settings.js';
import { SETTINGS } from './settings.js';
import { SIGN_IN_SETTINGS, signInConfigOf, signInContradictions } from './sign-in-settings.js';
import { WEBHOOK_SETTINGS } from './webhook-settings.js';
import { TRACING_SETTINGS, tracingConfigOf } from './tracing-settings.js';

const ALL_SETTINGS = {
  ...SETTINGS,
  ...REPLICA_SETTINGS,
  ...SIGN_IN_SETTINGS,
  ...DECISION_SETTINGS,
  ...WEBHOOK_SETTINGS,
  ...TRACING_SETTINGS,
};

type SettingName = keyof typeof ALL_SETTINGS;

export type Config = ReturnType<typeof loadConfig>;

export type Environment = Readonly<Record<string, string | undefined>>;

function rawValue(environment: Environment, name: SettingName, defaults: Environment = {}): string {
  const given = environment[name];
  // Compose files and CI write unset variables as empty strings.
  if (given !== undefined && given.trim() !== '') return given.trim();
  return defaults[name] ?? ALL_SETTINGS[name].default;
}

const SECRETS = new Set(Object.entries(ALL_SETTINGS).flatMap(([name, each]) => ('secret' in each ? [name] : [])));

/**
 * A secret may lie in a file, as containers and systemd hand it over: NAME_FILE says where.
 *
 * @returns the environment with the secrets in their places, and what is wrong, a line each
 */
function withSecretsOfFiles(given: Environment): { environment: Environment; wrong: string[] } {
  const environment = { ...given };
  const wrong: string[] = [];
  for (const name of SECRETS) {
    const file = given[`${name}_FILE`]?.trim() ?? '';
    if (file === '') continue;
    // The path is not repeated: it could be the secret, in the wrong variable.
    const refuse = (reason: string): unknown => wrong.push(`${name}_FILE=…: ${reason}`);
    if ((given[name] ?? '').trim() !== '') refuse(`${name} is set as well, and one of them must not be`);
    try {
      environment[name] = readFileSync(file, 'utf8').trim();
      if (environment[name] === '') refuse('the file is empty');
    } catch (error) {
      refuse(`the file cannot be read (${errorCodeOf(error) ?? 'unknown'})`);
    }
  }
  return { environment, wrong };
}

function keysFileIn(environment: Environment): string {
  return rawValue(environment, 'KEYS_FILE') || join(rawValue(environment, 'PARAPET_HOME'), 'keys.json');
}

/** Reads what says where all is kept, for commands that need nothing else. @throws OperatorError that does not repeat what is wrong */
export function storePlace(given: Environment = process.env) {
  return {
    keysFile: keysFileIn(given),
    databaseUrl: valueOf('DATABASE_URL', given),
    storeGraceMs: valueOf('STORE_GRACE_SECONDS', given) * 1000,
  };
}

/** As above. */
export function adminPasswordHash(given: Environment = process.env): AdminPasswordHash | undefined {
  return valueOf('ADMIN_PASSWORD_HASH', given);
}

/** As above. @returns empty where texts are not kept */
export function decisionKeys(given: Environment = process.env): readonly Buffer[] {
  return valueOf('DECISIONS_KEY', given);
}

function valueOf<Name extends SettingName>(
  name: Name,
  given: Environment,
): z.output<(typeof ALL_SETTINGS)[Name]['schema']> {
  const { environment, wrong } = withSecretsOfFiles(given);
  if (wrong.length > 0) throw new OperatorError(`${wrong.join('. ')}.`);
  const parsed = ALL_SETTINGS[name].schema.safeParse(rawValue(environment, name));
  if (parsed.success) return parsed.data as z.output<(typeof ALL_SETTINGS)[Name]['schema']>;
  throw new OperatorError(`${name} ${parsed.error.issues[0]?.message ?? 'is wrong'}.`);
}

/**
 * @param defaults of an entry point, where they differ from those of the settings
 * @throws OperatorError that lists every setting that is wrong, not just the first.
 */
export function loadConfig(given: Environment = process.env, defaults: Environment = {}) {
  const { environment, wrong } = withSecretsOfFiles(given);
  const shape = Object.fromEntries(Object.entries(ALL_SETTINGS).map(([name, { schema }]) => [name, schema])) as {
    [Name in SettingName]: (typeof ALL_SETTINGS)[Name]['schema'];
  };
  const names = Object.keys(ALL_SETTINGS) as SettingName[];
  const parsed = z
    .object(shape)
    .safeParse(Object.fromEntries(names.map((name) => [name, rawValue(environment, name, defaults)])));
  if (parsed.data?.SHARED_CACHE === true && parsed.data.VALKEY_URL === undefined) {
    wrong.push('SHARED_CACHE="on": the cache is shared in Valkey, and VALKEY_URL is not set');
  }
  if (parsed.success) wrong.push(...signInContradictions(parsed.data));
  if (!parsed.success || wrong.length > 0) {
    const lines = (parsed.error?.issues ?? []).map((issue) => {
      const name = String(issue.path[0]);
      const shown = SECRETS.has(name) ? '…' : JSON.stringify(environment[name] ?? '');
      return `${name}=${shown}: ${explain(issue)}`;
    });
    const told = [...new Set([...wrong, ...lines])].map((line) => `  ${line}`);
    throw new OperatorError(`Wrong settings (environment variables):\n${told.join('\n')}`);
  }
  const values = parsed.data;
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    keysFile: keysFileIn(environment),
    databaseUrl: values.DATABASE_URL,
    storeGraceMs: values.STORE_GRACE_SECONDS * 1000,
    valkeyUrl: values.VALKEY_URL,
    sharedCache: values.SHARED_CACHE,
    modelDir: values.MODEL_DIR,
    inferenceThreads: values.INFERENCE_THREADS,
    maxQueue: values.MAX_QUEUE,
    cacheMaxEntries: values.CACHE_MAX_ENTRIES,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    failedKeysPerMinute: values.FAILED_KEYS_PER_MINUTE,
    trustedProxies: values.TRUST_PROXY,
    verdictPolicy: {
      passMaxScore: values.PASS_MAX_SCORE,
      blockCategories: values.BLOCK_CATEGORIES,
      unreadable: values.UNREADABLE,
    },
    /** Newest first; empty where no text is kept. */
    decisionKeys: values.DECISIONS_KEY,
    webhookNetworks: values.WEBHOOK_NETWORKS,
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS,
    answerTimeoutMs: values.ANSWER_TIMEOUT_SECONDS * 1000,
    /** Undefined where the variable sets none: there may be a file. */
    adminPasswordHash: values.ADMIN_PASSWORD_HASH,
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT_SECONDS * 1000,
    shutdownDelayMs: values.SHUTDOWN_DELAY_SECONDS * 1000,
    signIn: signInConfigOf(values),
    /** Undefined: off. */
    tracing: tracingConfigOf(values),
  });
}

function explain(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_union' && !issue.message.startsWith('must'))
    return 'must be "off", "public" or a port number from 1 to 65535';
  if (issue.code === 'invalid_value' && !issue.message.startsWith('must')) {
    return `must be one of: ${issue.values.join(', ')}`;
  }
  return issue.message;
}
