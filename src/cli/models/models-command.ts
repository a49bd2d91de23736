/** The `models` command: which models are here and whether they are whole; `pull` is models-pull-command.ts. */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '../../errors.js';
import { readManifest, verifyFiles } from '../../inference/manifest.js';
import { readArguments, runCommands, tableLines } from '../command.js';
import { PULL_HELP, pull, type ModelsPullDeps } from './models-pull-command.js';

const HELP = `Usage: npx parapet models COMMAND

  list [FOLDER ...] [--json]   Models, with their files compared to the manifest: those of the package, of ./models and
                               MODEL_DIR, or of the folders given. "*" marks the one that is served.
${PULL_HELP}
Exit status: 0, or 2 with the reason on standard error, as where a model is not whole.
`;

export interface ModelsCliDeps extends ModelsPullDeps {
  /** What MODEL_DIR says. @throws OperatorError where settings are wrong */
  readonly servedFolder: () => string;
  /** Folders in which models lie, one below another. */
  readonly places: readonly string[];
}

/** Resolves to the exit status: 0, or 2 after one line on stderr. Never rejects. */
export function runModelsCli(argv: readonly string[], deps: ModelsCliDeps): Promise<number> {
  return runCommands(argv, deps, HELP, { list, pull });
}

async function list(args: readonly string[], { servedFolder, places, stdout }: ModelsCliDeps): Promise<void> {
  const { values, positionals } = readArguments(args, { json: { type: 'boolean', default: false } });
  const served = resolve(servedFolder());
  const folders =
    positionals.length > 0 ? positionals.map((folder) => resolve(folder)) : await modelsIn(places, served);
  const models = await Promise.all(folders.map((folder) => inspect(folder, folder === served)));
  if (values.json) stdout.write(`${JSON.stringify(models)}\n`);
  else {
    stdout.write(
      tableLines([
        ['', 'MODEL', 'LANGUAGES', 'MB', 'FILES', 'FOLDER'],
        ...models.map(({ served, model, languages, bytes, problem, folder }) => [
          served ? '*' : '',
          model ?? '-',
          String(languages ?? '-'),
          bytes === undefined ? '-' : (bytes / 1e6).toFixed(1),
          problem === undefined ? 'whole' : 'not whole',
          folder,
        ]),
      ]),
    );
  }
  const problems = models.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) throw new OperatorError(problems.join(' '));
}

async function modelsIn(places: readonly string[], served: string): Promise<string[]> {
  const found = await Promise.all(
    places.map(async (place) => {
      const entries = await readdir(place).catch(() => []);
      const withManifest = await Promise.all(
        entries.map(async (name) => ((await isFile(join(place, name, 'manifest.json'))) ? [resolve(place, name)] : [])),
      );
      return withManifest.flat();
    }),
  );
  return [...new Set([...found.flat(), served])].sort();
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

export interface ModelOnDisk {
  readonly folder: string;
  readonly served: boolean;
  /** As in `id@version`; absent where the manifest cannot be read. */
  readonly model?: string;
  /** How many the model reads. */
  readonly languages?: number;
  /** Of all files that the manifest names. */
  readonly bytes?: number;
  /** Why it cannot be served; absent where every file has the hash of the manifest. */
  readonly problem?: string;
}

async function inspect(folder: string, served: boolean): Promise<ModelOnDisk> {
  try {
    const manifest = await readManifest(folder);
    const { id, version, languages, files } = manifest;
    const model = `${id}@${version}`;
    const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
    const found = { folder, served, model, languages: languages.length, bytes };
    const problem = problemIn(() => verifyFiles(folder, manifest));
    return problem === undefined ? found : { ...found, problem };
  } catch (error) {
    return { folder, served, problem: reasonOf(error) };
  }
}

function problemIn(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  throw error;
}
