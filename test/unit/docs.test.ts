import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import { perPreset, presetRows } from '../../benchmarks/probes/passing.js';
import { PRESET_NAMES } from '../../src/policies/policy-schema.js';
import { resolvePolicy } from '../../src/policies/resolve-policy.js';
import type { Setting } from '../../src/config/setting.js';
import { SETTINGS } from '../../src/config/settings.js';
import { ERROR_TABLE } from '../../src/errors.js';
import { DECISION_SETTINGS } from '../../src/config/decision-settings.js';
import { REPLICA_SETTINGS } from '../../src/config/replica-settings.js';
import { examplesOf, settingsIn } from '../support/doc-examples.js';
import { SIGN_IN_SETTINGS } from '../../src/config/sign-in-settings.js';
import { WEBHOOK_SETTINGS } from '../../src/config/webhook-settings.js';
import { TRACING_SETTINGS } from '../../src/config/tracing-settings.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The cells of every table row whose first cell is one code span. */
function tableRows(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => /^\| `[^`]+` +\|/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}

describe('docs/errors.md', () => {
  const page = read('docs/errors.md');

  it('has a row and a section for every code of the table, and for no other', () => {
    const codes = Object.keys(ERROR_TABLE);
    expect(tableRows(page)).toEqual(
      Object.entries(ERROR_TABLE).map(([code, { status }]) => [`\`${code}\``, String(status)]),
    );
    expect([...page.matchAll(/^## (\w+)$/gm)].map((match) => match[1])).toEqual(codes);
  });
});

describe('README.md', () => {
  it('lists every setting with its default and meaning, and no other', () => {
    const section = read('README.md').split('\n## Settings\n')[1]?.split('\n## ')[0] ?? '';
    expect(tableRows(section)).toEqual(
      Object.entries(SETTINGS).map(([name, { default: value, defaultShown, meaning }]) => [
        `\`${name}\``,
        defaultShown ?? `\`${value}\``,
        meaning,
      ]),
    );
  });
});

describe('docs/policies.md', () => {
  it('says what each preset sets over the default settings, and what passes under each of them', () => {
    const section = read('docs/policies.md').split('\n## Presets\n')[1]?.split('\n## ')[0] ?? '';
    const rows = section
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const settings = loadConfig({}).verdictPolicy;
    const expected = presetRows(perPreset((name) => resolvePolicy(settings, name, {})));
    const [head, , ...told] = rows;
    expect(head).toEqual(['', 'texts', ...PRESET_NAMES]);
    expect(told.slice(0, expected.length)).toEqual(expected);
    const shares = told.slice(expected.length);
    expect(shares.length).toBeGreaterThan(20);
    for (const [, texts, ...cells] of shares) {
      expect(texts).toMatch(/^\d+$/);
      expect(cells).toEqual(PRESET_NAMES.map(() => expect.stringMatching(/^\d+\.\d %$/) as string));
    }
  });
});

describe('docs/sign-in.md', () => {
  it('shows settings that the service takes', () => {
    const [provider = {}, ...more] = examplesOf('docs/sign-in.md').map(({ code }) => settingsIn(code));
    expect(more).toHaveLength(2);
    for (const settings of more) {
      const config = loadConfig({ ...provider, OIDC_CLIENT_SECRET_FILE: '', ...settings });
      expect(config.signIn.oidc?.issuer).toBe(provider.OIDC_ISSUER);
    }
  });
});

const FURTHER_SETTINGS: [string, string, Record<string, Pick<Setting<never>, 'default' | 'meaning'>>][] = [
  ['docs/operations/tracing.md', 'Variables', TRACING_SETTINGS],
  ['docs/operations/replicas.md', 'Settings', REPLICA_SETTINGS],
  ['docs/kept-decisions.md', 'Settings', DECISION_SETTINGS],
  ['docs/sign-in.md', 'Settings', SIGN_IN_SETTINGS],
  ['docs/webhooks.md', 'Settings', WEBHOOK_SETTINGS],
];

describe.each(FURTHER_SETTINGS)('%s', (page, title, settings) => {
  it('lists every variable that Parapet looks at, with its default and meaning, and no other', () => {
    const section = read(page).split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
    expect(tableRows(section)).toEqual(
      Object.entries(settings).map(([name, { default: value, meaning }]) => [
        `\`${name}\``,
        value === '' ? 'unset' : `\`${value}\``,
        meaning,
      ]),
    );
  });
});
