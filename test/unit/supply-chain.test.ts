/** Promises of SECURITY.md about what is installed. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { productionPackages } from '../../src/cli/licences/production-licences.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const lockfile = read('package-lock.json');
const packages = productionPackages(lockfile);

/** Licences that let everybody use, change and pass on, and ask for no more than a notice. */
const ALLOWED = '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT Unlicense'.split(' ');

/** `(A OR B)` leaves the choice to us: one is enough. Anything else must be in the list as it is. */
function isAllowed(licence: string): boolean {
  const choices = /^\((\S+(?: OR \S+)+)\)$/.exec(licence)?.[1]?.split(' OR ') ?? [licence];
  return choices.some((choice) => ALLOWED.includes(choice));
}

describe('the packages of a production install', () => {
  it('all have a licence of the list', () => {
    expect(packages.length).toBeGreaterThan(50);
    expect(packages.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
  });

  it('are what package.json asks for, and what those need', () => {
    const manifest = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const names = packages.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
    expect(names).toContain('onnxruntime-web');
    expect(names).not.toContain('vitest');
    expect(names).not.toContain('@opentelemetry/sdk-trace-base');
  });
});

describe('the lockfile', () => {
  it('pins every package to the hash of its content, and takes none from outside of the registry', () => {
    expect(packages.filter(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([]);
    expect(lockfile).not.toMatch(/"(?:resolved|version)": "(?:git|file|http:)/);
  });
});

describe('.npmrc', () => {
  it('lets no package run a script when it is installed', () => {
    expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true');
  });
});
