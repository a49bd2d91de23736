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

/** The one example of a page of docs/integrations, with the address and the key of a service in place of those that it shows. */
export function integrationExample(name: string, service: { readonly address: string; readonly key: string }): string {
  const [example, ...others] = examplesOf(`docs/integrations/${name}.md`);
  if (example === undefined || others.length > 0) throw new Error(`docs/integrations/${name}.md has one example`);
  return example.code.replaceAll('http://127.0.0.1:3000', service.address).replaceAll('YOUR_KEY', service.key);
}

/** The lines `name=value` of an example. */
export const settingsIn = (ini: string): Partial<Record<string, string>> =>
  Object.fromEntries([...ini.matchAll(/^(.+?) ?= ?(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
