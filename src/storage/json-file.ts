/**
 * A JSON file with a version: read again only when it changed, changed under a lock, replaced whole, and refused where it is not
 * understood. Knows nothing of what it holds.
 */
import { renameSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { errorCodeOf, OperatorError } from '../errors.js';
import { nextTurn } from '../threads/next-turn.js';
import { hasRepeatedMember } from '../json/repeated-members.js';
import { replaceFile } from './atomic-write.js';
import { withFileLock } from './file-lock.js';
import { fileVersionOf, isSameVersion, readRegularFile, type FileVersion } from './file-version.js';

const MOST_CONFLICTS = 5;

export interface JsonFileOptions<Contents> {
  readonly path: string;
  /** What messages call it: `key file`. */
  readonly name: string;
  /** That is written. */
  readonly version: number;
  /** What a missing file stands for. */
  readonly empty: Contents;
  /** For files that were not always JSON: what such a text says, undefined of any other. */
  readonly readEarlier?: (text: string) => unknown;
  /** Brings what earlier versions wrote to the present one. @throws ZodError where the content is damaged */
  readonly parse: (content: unknown) => Contents;
  /** Contents to what JSON can say. */
  readonly encode?: (contents: Contents) => unknown;
  /** What an operator does about a damaged file, as a sentence. */
  readonly remedy: string;
  readonly indent?: number;
  /** Whose owner and rights a new file gets. */
  readonly ownedLike?: () => FileVersion;
  /** Where it is here, a change moves a damaged file aside, tells this, and begins with an empty one. */
  readonly onSetAside?: (message: string) => void;
}

export interface Change<Contents, Result> {
  /** The very object that was passed in says that there is nothing to write. */
  readonly next: Contents;
  readonly result: Result;
}

/** What is wrong is in the file: it will not pass until that changes. */
class FileRefusal extends OperatorError {
  constructor(
    readonly reason: 'damaged' | 'newer',
    message: string,
  ) {
    super(message);
  }
}

interface Snapshot<Contents> {
  readonly version: FileVersion;
  readonly contents: Contents | FileRefusal;
}

export class JsonFile<Contents extends object> {
  readonly #options: JsonFileOptions<Contents>;
  #last: Snapshot<Contents> | undefined;

  constructor(options: JsonFileOptions<Contents>) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path;
  }

  /** For whoever keeps something of the contents for longer than this does. @throws OperatorError as `read` does */
  version(): FileVersion {
    try {
      return fileVersionOf(this.path);
    } catch (error) {
      throw this.#cannot('read', error);
    }
  }

  /**
   * The contents of this moment, never earlier ones, at the price of a stat (about 1 µs) where nothing changed: the same object
   * then. Watching the file instead would leave a moment in which a revoked key still passes. It rests on a rename being visible
   * at once: a network file system that caches attributes (NFS without `noac`) breaks the promise for as long as it caches.
   *
   * @throws OperatorError that names the file where there is one that cannot be read, is damaged or of a newer version
   */
  read(): Contents {
    const { contents } = this.#present();
    if (contents instanceof FileRefusal) throw contents;
    return contents;
  }

  /**
   * Reads, changes and writes the file while nobody else does. When it resolves, the change is on the disk and every reader sees
   * it. `work` may be called again if the file changed meanwhile, so it must have no effects of its own.
   *
   * @throws OperatorError where the file is refused, cannot be written or stays locked; it is then as it was
   */
  async change<Result>(work: (current: Contents) => Change<Contents, Result>): Promise<Result> {
    const { path, name, encode, indent, ownedLike } = this.#options;
    try {
      const target = await resolveTarget(path);
      return await withFileLock(target, async () => {
        for (let conflicts = 0; conflicts < MOST_CONFLICTS; conflicts += 1) {
          const { version, contents } = this.#presentToChange(target);
          // Of a long file each step takes tens of milliseconds: others are answered in between.
          await nextTurn();
          const { next, result } = work(contents);
          if (next === contents) return result;
          await nextTurn();
          const text = `${JSON.stringify(encode?.(next) ?? next, null, indent)}\n`;
          if (await replaceFile(target, text, version, version ?? ownedLike?.())) return result;
        }
        throw new OperatorError(`The ${name} ${path} keeps changing under something that takes no lock. Try again.`);
      });
    } catch (error) {
      throw error instanceof OperatorError || errorCodeOf(error) === undefined ? error : this.#cannot('write', error);
    }
  }

  #present(): Snapshot<Contents> {
    try {
      const version = this.version();
      if (this.#last !== undefined && isSameVersion(version, this.#last.version)) return this.#last;
      // Not remembered where reading fails: the cause may pass without a trace on the file (too many open files, say).
      this.#last = undefined;
      this.#last = this.#readNow();
      return this.#last;
    } catch (error) {
      throw error instanceof OperatorError ? error : this.#cannot('read', error);
    }
  }

  #readNow(): Snapshot<Contents> {
    try {
      const { bytes, version } = readRegularFile(this.#options.path);
      return { version, contents: this.#understood(bytes.toString('utf8')) };
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT') throw error;
      return { version: undefined, contents: this.#options.empty };
    }
  }

  #presentToChange(target: string): { version: FileVersion; contents: Contents } {
    const { version, contents } = this.#present();
    if (!(contents instanceof FileRefusal)) return { version, contents };
    const { name, path, onSetAside, empty } = this.#options;
    if (onSetAside === undefined || contents.reason === 'newer') throw contents;
    // One damaged file is kept, the latest: it is for a person to look at, not an archive.
    renameSync(target, `${target}.damaged`);
    onSetAside(`The ${name} ${path} was damaged. It is kept as ${target}.damaged, and a new one begins.`);
    return { version: undefined, contents: empty };
  }

  /** Does not quote the text. */
  #understood(text: string): Contents | FileRefusal {
    const { path, name, version, readEarlier, parse } = this.#options;
    let content = readEarlier?.(text);
    if (content === undefined) {
      try {
        content = JSON.parse(text) as unknown;
      } catch {
        return this.#damage('it is not valid JSON');
      }
      // Else a second list of keys, left by a merge by hand, would silently take the place of the first.
      if (hasRepeatedMember(text, content)) return this.#damage('an object has two members of one name');
    }
    const { format = 0, version: newer = format } = versionedSchema.safeParse(content).data ?? {};
    if (newer > version) {
      return new FileRefusal(
        'newer',
        `The ${name} ${path} is of version ${newer}, and this Parapet knows none after version ${version}. Use the release that wrote it.`,
      );
    }
    try {
      return parse(content);
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      const [issue] = error.issues;
      return this.#damage(issue === undefined ? 'it has another shape' : `${issue.path.join('.')}: ${issue.message}`);
    }
  }

  #damage(what: string): FileRefusal {
    const { path, name, remedy } = this.#options;
    return new FileRefusal('damaged', `The ${name} ${path} is damaged (${what}). ${remedy}`);
  }

  #cannot(doing: 'read' | 'write', error: unknown): OperatorError {
    const { path, name } = this.#options;
    return new OperatorError(
      `Cannot ${doing} the ${name} ${path} (${errorCodeOf(error) ?? String(error)}). Check the rights and owners of the file and its folder.`,
      { cause: error },
    );
  }
}

/** Earlier releases called it `format` in some. */
const versionedSchema = z.looseObject({ version: z.number().optional(), format: z.number().optional() });

/** Makes the folder and follows links: a link stays a link, and whoever comes by another path meets the same lock. */
async function resolveTarget(file: string): Promise<string> {
  const path = resolve(file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
    return join(await realpath(dirname(path)), basename(path));
  }
}

/** Of a file that a server goes on without. */
export function readOr<Contents extends object>(file: JsonFile<Contents>, otherwise: Contents): Contents {
  try {
    return file.read();
  } catch {
    return otherwise;
  }
}
