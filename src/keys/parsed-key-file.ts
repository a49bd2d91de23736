/**
 * Turns the bytes of a key file into keys, one by one, and takes over from an earlier reading each key whose bytes are the same:
 * after a revocation one of 100,000 is parsed. Refuses what is not wholly understood.
 */
import { z } from 'zod';
import { OperatorError } from '../errors.js';
import { afterBlanks, endOfBrackets, isCommaAt, isListEndAt, isObjectAt, listOfMember } from './json-bytes.js';
import {
  KEY_FILE_VERSION,
  keyFileSchema,
  keyRecordSchema,
  type KeyFileContents,
  type KeyRecord,
} from './key-record.js';
import type { Steps } from './slices.js';

export interface ParsedKeyFile {
  readonly contents: KeyFileContents;
  readonly indexByHash: ReadonlyMap<string, number>;
  readonly bytes: Buffer;
  /** Where each key begins and ends in the bytes. */
  readonly places: readonly Place[];
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** What a missing file stands for. */
export const NO_KEYS: ParsedKeyFile = {
  contents: { version: KEY_FILE_VERSION, keys: [] },
  indexByHash: new Map(),
  bytes: Buffer.alloc(0),
  places: [],
};

/** Put in place of the keys while the rest is checked; no key file has it. */
const STAND_IN = Buffer.from('[null]');

/**
 * @param file for messages
 * @param before an earlier reading, to compare with
 * @throws OperatorError when the bytes are no key file; it does not quote them
 */
export function* parseKeyFile(file: string, bytes: Buffer, before: ParsedKeyFile = NO_KEYS): Steps<ParsedKeyFile> {
  const listFrom = listOfMember(bytes, 'keys');
  if (listFrom === -1) throw notAKeyFile(file, parsedJson(file, bytes));
  const reading = yield* readKeys(file, bytes, listFrom, before);
  const rest = parsedJson(file, Buffer.concat([bytes.subarray(0, listFrom), STAND_IN, bytes.subarray(reading.listTo)]));
  const contents = contentsOf(file, rest, reading.keys);
  if (reading.problem !== undefined) throw damaged(file, reading.problem);
  return { contents, indexByHash: reading.indexByHash, bytes, places: reading.places };
}

interface Reading {
  readonly keys: KeyRecord[];
  readonly indexByHash: Map<string, number>;
  readonly places: Place[];
  listTo: number;
  /** The first thing that is wrong with a key. Not thrown at once: that the file is of another version says more. */
  problem: string | undefined;
}

function* readKeys(file: string, bytes: Buffer, listFrom: number, before: ParsedKeyFile): Steps<Reading> {
  const reading: Reading = { keys: [], indexByHash: new Map(), places: [], listTo: -1, problem: undefined };
  const ids = new Set<string>();
  /** The key of the reading before that is likely the next. */
  let expected = 0;
  let at = afterBlanks(bytes, listFrom + 1);
  // A list that ends after a comma is none: it ends before the first key, or right after one.
  while (!isListEndAt(bytes, at) || reading.places.length > 0) {
    const index = reading.places.length;
    const same = unchangedAt(bytes, at, before, expected);
    const to = same?.to ?? (isObjectAt(bytes, at) ? endOfBrackets(bytes, at) : -1);
    if (to === -1) throw notAKeyFile(file, parsedJson(file, bytes));
    const key = same?.key ?? checkedKey(reading, parsedJson(file, bytes.subarray(at, to)), index);
    reading.places.push({ from: at, to });
    if (key !== undefined) {
      // Two records for one key could disagree on whether it is revoked.
      if (ids.has(key.id)) reading.problem ??= 'keys: an id occurs twice';
      if (reading.indexByHash.has(key.hash)) reading.problem ??= 'keys: a hash occurs twice';
      ids.add(key.id);
      reading.indexByHash.set(key.hash, index);
      reading.keys.push(key);
      const placeBefore = before.indexByHash.get(key.hash);
      if (placeBefore !== undefined) expected = placeBefore + 1;
    }
    at = afterBlanks(bytes, to);
    if (isListEndAt(bytes, at)) break;
    if (!isCommaAt(bytes, at)) throw damaged(file, NOT_JSON);
    at = afterBlanks(bytes, at + 1);
    yield;
  }
  reading.listTo = at + 1;
  return reading;
}

/** The same bytes mean the same key, and end at the same place: no whole object is the beginning of another. */
function unchangedAt(
  bytes: Buffer,
  at: number,
  before: ParsedKeyFile,
  index: number,
): { key: KeyRecord; to: number } | undefined {
  const [place, key] = [before.places[index], before.contents.keys[index]];
  if (place === undefined || key === undefined) return undefined;
  const to = at + place.to - place.from;
  const isSame = to <= bytes.length && before.bytes.compare(bytes, at, to, place.from, place.to) === 0;
  return isSame ? { key, to } : undefined;
}

function checkedKey(reading: Reading, value: unknown, index: number): KeyRecord | undefined {
  const parsed = keyRecordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  reading.problem ??= `${['keys', index, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? OTHER_SHAPE}`;
  return undefined;
}

function contentsOf(file: string, rest: unknown, keys: KeyRecord[]): KeyFileContents {
  // JSON.parse takes the last of two members of one name, which would not be the list that was read.
  const standIn = restSchema.safeParse(rest).data;
  if (standIn === undefined) throw damaged(file, 'keys: occurs twice');
  const content = { ...standIn, keys: [] };
  const parsed = keyFileSchema.safeParse(content);
  if (!parsed.success) throw notAKeyFile(file, content);
  return { ...parsed.data, keys };
}

const restSchema = z.looseObject({ keys: z.tuple([z.null()]) });

const NOT_JSON = 'it is not valid JSON';
const OTHER_SHAPE = 'it has another shape';

function parsedJson(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw damaged(file, NOT_JSON);
  }
}

/** What to say of JSON that is no key file. */
function notAKeyFile(file: string, content: unknown): OperatorError {
  const [issue] = keyFileSchema.safeParse(content).error?.issues ?? [];
  if (issue?.path.join('.') === 'version') {
    return new OperatorError(
      `The key file ${file} is not of version ${KEY_FILE_VERSION}, the only one that this Parapet knows. Use the release that wrote it.`,
    );
  }
  return damaged(file, issue === undefined ? OTHER_SHAPE : `${issue.path.join('.')}: ${issue.message}`);
}

function damaged(file: string, what: string): OperatorError {
  return new OperatorError(
    `The key file ${file} is damaged (${what}). It was left as it is: restore it from a backup, or move it away and create new keys.`,
  );
}
