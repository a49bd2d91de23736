/** Where the data of the benchmarks lies: beside their sources, whether these are run or their build in `dist`. */
const here = new URL('./', import.meta.url);
const FOLDER = here.pathname.endsWith('/dist/') ? new URL('../', here) : here;

/** @param path from the folder of the benchmarks, as in `probes/emoji.jsonl` */
export function dataFile(path: string): URL {
  return new URL(path, FOLDER);
}
