/** Opens what is kept: in files, or in the database that is named, whose code is loaded only then. */
import { OperatorError } from '../errors.js';
import { openFileStore } from './file-store.js';
import type { Store, StoreOptions } from './store.js';

export interface StorePlace {
  readonly keysFile: string;
  /** Undefined: in files. */
  readonly databaseUrl: string | undefined;
  /** How long what is known of keys and policies counts while the database does not answer. */
  readonly storeGraceMs: number;
}

/** @throws OperatorError where the database cannot be used; files are first looked at when they are read */
export function openStore({ keysFile, databaseUrl }: StorePlace, options: StoreOptions = {}): Promise<Store> {
  if (databaseUrl === undefined) return Promise.resolve(openFileStore(keysFile, options));
  return Promise.reject(new OperatorError('DATABASE_URL is set, and this release keeps everything in files.'));
}
