import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.js';
import { OperatorError } from '../../../src/errors.js';

describe('settings', () => {
  it('have defaults that are valid by themselves', () => {
    expect(loadConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      keysFile: join('data', 'keys.json'),
      modelDir: fileURLToPath(new URL('../../../models/parapet-multi', import.meta.url)),
      verdictPolicy: {
        passMaxScore: 3,
        blockCategories: ['threat', 'hate', 'sexual', 'self_harm', 'spam'],
        unreadable: 'fail',
      },
      metrics: 'off',
    });
  });

  it('take an empty variable for an unset one, as compose files write it', () => {
    expect(loadConfig({ PORT: '', LOG_LEVEL: ' ' })).toMatchObject({ port: 3000, logLevel: 'info' });
  });

  it('share a cache only where it can lie', () => {
    expect(() => loadConfig({ SHARED_CACHE: 'on' })).toThrow('VALKEY_URL is not set');
    const valkeyUrl = 'redis://127.0.0.1:6379';
    expect(loadConfig({ SHARED_CACHE: 'on', VALKEY_URL: valkeyUrl })).toMatchObject({ sharedCache: true, valkeyUrl });
    expect(() => loadConfig({ VALKEY_URL: '127.0.0.1:6379' })).toThrow(
      /VALKEY_URL=…: must be an address such as redis:/,
    );
  });

  const OIDC = {
    PUBLIC_URL: 'https://moderation.example/',
    OIDC_ISSUER: 'https://id.example/realms/team',
    OIDC_CLIENT_ID: 'parapet',
  };

  it('take a provider of sign-ins with its roles, the highest first', () => {
    expect(loadConfig({}).signIn).toMatchObject({ oidc: undefined, header: undefined });
    const roles = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'mods=reviewer, cn=a=owner', OIDC_DEFAULT_ROLE: 'viewer' };
    expect(loadConfig({ ...OIDC, ...roles }).signIn).toMatchObject({
      publicUrl: 'https://moderation.example',
      oidc: {
        issuer: 'https://id.example/realms/team',
        acceptsUnverifiedEmail: false,
        roles: [
          ['cn=a', 'owner'],
          ['mods', 'reviewer'],
        ],
        defaultRole: 'viewer',
      },
    });
    expect(loadConfig({ TRUST_PROXY: 'loopback', SIGN_IN_HEADER: 'Remote-User' }).signIn.header).toEqual({
      name: 'remote-user',
      defaultRole: undefined,
    });
  });

  it.each([
    [{ ...OIDC, PUBLIC_URL: '' }, 'PUBLIC_URL="": must be set where OIDC_ISSUER is'],
    [{ ...OIDC, OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID="": must be set'],
    [{ ...OIDC, OIDC_ISSUER: 'http://id.example' }, 'must be the address of the provider'],
    [{ ...OIDC, PUBLIC_URL: 'https://moderation.example/parapet' }, 'without a path'],
    [{ ...OIDC, OIDC_ROLE_CLAIM: 'groups' }, 'OIDC_ROLES: must be set where OIDC_ROLE_CLAIM is'],
    [{ ...OIDC, OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'mods' }, 'must be such as moderators=reviewer'],
    [{ ...OIDC, OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'mods=king' }, 'must be such as moderators=reviewer'],
    [{ ...OIDC, OIDC_SCOPES: 'email' }, 'must contain openid'],
    [{ SIGN_IN_HEADER: 'Remote-User' }, 'TRUST_PROXY="off": must name the proxies'],
    [{ SIGN_IN_HEADER: 'Remote User', TRUST_PROXY: 'loopback' }, 'must be the name of a header'],
    [{ SIGN_OUT_URL: 'javascript:alert(1)' }, 'must be an address or a path'],
  ])('refuse %j', (given, why) => {
    expect(() => loadConfig(given)).toThrow(why);
  });

  it('keep what is kept in PARAPET_HOME, unless KEYS_FILE says where', () => {
    expect(loadConfig({ PARAPET_HOME: '/srv/parapet' }).keysFile).toBe(join('/srv/parapet', 'keys.json'));
    expect(loadConfig({ PARAPET_HOME: '/srv/parapet', KEYS_FILE: 'mine.json' }).keysFile).toBe('mine.json');
  });

  it('read what is given', () => {
    const config = loadConfig({
      PORT: '0',
      CACHE_MAX_ENTRIES: '0',
      BLOCK_CATEGORIES: 'spam, obscene',
      UNREADABLE: 'pass',
      METRICS: '9464',
      SHUTDOWN_TIMEOUT_SECONDS: '3',
    });
    expect(config).toMatchObject({ port: 0, cacheMaxEntries: 0, metrics: 9464 });
    expect(config.verdictPolicy).toMatchObject({ blockCategories: ['spam', 'obscene'], unreadable: 'pass' });
    expect(config.shutdownTimeoutMs).toBe(3000);
    expect(loadConfig({ BLOCK_CATEGORIES: 'none' }).verdictPolicy.blockCategories).toEqual([]);
    expect(loadConfig({ METRICS: 'public' }).metrics).toBe('public');
  });

  it('report every problem at once, each with its name and what is allowed', () => {
    const wrong = {
      PORT: '99999',
      INFERENCE_THREADS: 'two',
      BLOCK_CATEGORIES: 'threat,rudeness',
      LOG_LEVEL: 'loud',
      UNREADABLE: 'maybe',
      METRICS: 'yes',
      PASS_MAX_SCORE: '11',
      TRUST_PROXY: '10.0.0.1,proxy.local',
    };
    let message = '';
    try {
      loadConfig(wrong);
    } catch (error) {
      expect(error).toBeInstanceOf(OperatorError);
      message = error instanceof Error ? error.message : '';
    }
    for (const [name, value] of Object.entries(wrong)) expect(message).toContain(`${name}="${value}"`);
    expect(message).toContain('whole number from 0 to 65535');
    expect(message).toContain('self_harm');
    expect(message).toContain('must be one of: trace, debug');
    expect(message).toContain('must be one of: fail, pass');
    expect(message).toContain('"public" or a port number');
    expect(message).toContain('networks of your proxies');
    expect(message.split('\n')).toHaveLength(1 + Object.keys(wrong).length);
  });

  it('send who blocks unreadable texts as a category to the setting that decides on them', () => {
    const decide = (): unknown => loadConfig({ BLOCK_CATEGORIES: 'threat,unreadable' });
    expect(decide).toThrow(
      /BLOCK_CATEGORIES="threat,unreadable": must not name "unreadable": .* setting UNREADABLE .*\(fail or pass\)/,
    );
  });

  it.each([
    ['off', []],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8, ::1,loopback', ['10.0.0.0/8', '::1', 'loopback']],
  ])('take TRUST_PROXY=%j', (value, proxies) => {
    expect(loadConfig({ TRUST_PROXY: value }).trustedProxies).toEqual(proxies);
  });

  it.each(['1', '10.0', '0.0.0.0/0', '::/0', '10.0.0.0/33', 'proxy'])('refuse TRUST_PROXY=%j', (value) => {
    expect(() => loadConfig({ TRUST_PROXY: value })).toThrow('networks of your proxies');
  });

  it.each(['-1', '1.5', '0x10', '1e3', ' ', 'NaN'])('refuse %j as a number of requests', (value) => {
    if (value.trim() === '') expect(loadConfig({ RATE_LIMIT_PER_MINUTE: value }).rateLimitPerMinute).toBe(60_000);
    else expect(() => loadConfig({ RATE_LIMIT_PER_MINUTE: value })).toThrow(OperatorError);
  });
});
