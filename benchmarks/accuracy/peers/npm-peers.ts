/** Word lists from npm, loaded from where the operator installed them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { OperatorError } from 'parapet/engine';
import { z } from 'zod';
import type { Judge } from '../judges/judge.js';
import { createPeerJudge } from './peer-judge.js';

/** Whether a text is profane. */
type Check = (text: string) => boolean;

/** How each is asked, as its documentation says, from what `require` gives. They throw where the package is another than the one known here. */
export const NPM_PEERS: Readonly<Record<string, (module: unknown) => Check>> = {
  obscenity(module) {
    const { RegExpMatcher, englishDataset, englishRecommendedTransformers } = z
      .looseObject({
        RegExpMatcher: z.custom<new (options: object) => { hasMatch: Check }>((value) => typeof value === 'function'),
        englishDataset: z.custom<{ build: () => object }>(hasMethod('build')),
        englishRecommendedTransformers: z.looseObject({}),
      })
      .parse(module);
    const matcher = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });
    return (text) => matcher.hasMatch(text);
  },
  'leo-profanity'(module) {
    const list = z.custom<{ check: Check }>(hasMethod('check')).parse(module);
    return (text) => list.check(text);
  },
  '@2toad/profanity'(module) {
    const { profanity } = z.looseObject({ profanity: z.custom<{ exists: Check }>(hasMethod('exists')) }).parse(module);
    return (text) => profanity.exists(text);
  },
};

function hasMethod(name: string): (value: unknown) => boolean {
  return (value) => typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';
}

/** @throws OperatorError where the package cannot be had from the folder, or is another than the one that is known here */
export function openNpmPeer(name: string, folder: string): Judge {
  const require = createRequire(join(folder, 'package.json'));
  let path: string;
  try {
    path = require.resolve(name);
  } catch (error) {
    throw new OperatorError(`--peer ${name}: the package is not installed here: npm install --no-save ${name}`, {
      cause: error,
    });
  }
  const root = path.slice(0, path.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length);
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  try {
    const check = NPM_PEERS[name]?.(require(name));
    if (check === undefined) throw new Error('it is not known here');
    return createPeerJudge({
      name,
      version,
      concurrency: 1,
      ask: (text) => Promise.resolve(check(text) ? 1 : 0),
      close: () => Promise.resolve(),
    });
  } catch (error) {
    throw new OperatorError(`--peer ${name}: version ${version} cannot be used as it is known here`, { cause: error });
  }
}
