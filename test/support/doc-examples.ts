/** The code blocks of a page: what a page shows is what the tests run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './client-package.js';

export interface Example {
  readonly language: string;
  readonly code: string;
}

export function examplesOf(page: string): Example[] {
  const markdown = readFileSync(join(ROOT, page), 'utf8');
  return [...markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}
