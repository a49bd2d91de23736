/** Opens what is kept: in files, or in the database that is named, whose code is loaded only then. */
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
export async function openStore(place: StorePlace, options: StoreOptions = {}): Promise<Store> {
  const { keysFile, databaseUrl, storeGraceMs } = place;
  if (databaseUrl === undefined) return openFileStore(keysFile, options);
  const { openPostgresStore } = await import('./postgres/postgres-store.js');
  return openPostgresStore(databaseUrl, { ...options, graceMs: storeGraceMs });
}
