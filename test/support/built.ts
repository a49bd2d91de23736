/** The built code as the service runs it: worker threads are files of JavaScript. The types come from the sources. */

/** The file:// URL of a built file, to start as a process or to import. */
export function builtUrl(path: string): URL {
  return new URL(`../../dist/src/${path}`, import.meta.url);
}

export const { loadClassifier } = (await import(
  builtUrl('inference/load-classifier.js').href
)) as typeof import('../../src/inference/load-classifier.js');
