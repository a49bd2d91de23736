/**
 * A thread beside those that judge, which reads large bodies and does what of the dashboard's work grows with a text: the HTTP thread answers
 * others meanwhile. Knows no route.
 */
import type { TextReading } from '../dashboard/routes/admin-context.js';
import type { ReadBody } from '../http/body/json-body.js';
import { createJobThread, type JobThreadOptions } from '../threads/job-thread.js';
import { nextTurn } from '../threads/next-turn.js';
import type { Job } from './jobs.js';

export interface ReadingThread extends TextReading {
  readonly readBody: ReadBody;
  /** Gives up what is not done. */
  readonly close: () => Promise<void>;
}

const IDLE_MS = 60_000;
const MOST_WAITING_BYTES = 128 * 1024 * 1024;

const NAMES: Readonly<Record<Job['does'], string>> = {
  readBody: 'large bodies',
  normalise: 'texts',
  checkTerms: 'lists of terms',
  previewTexts: 'files of texts',
  labelledTexts: 'files of texts',
  labels: 'files of texts',
};

/** @param options for tests */
export function createReadingThread(options: Partial<JobThreadOptions<Job>> = {}): ReadingThread {
  const { submit, close } = createJobThread<Job>({
    workerUrl: new URL('./worker.js', import.meta.url),
    idleMs: IDLE_MS,
    mostWaitingBytes: MOST_WAITING_BYTES,
    namesOf: ({ does }) => NAMES[does],
    ...options,
  });
  return {
    async readBody(body, route) {
      // A buffer may be a part of a larger one, which cannot be handed over.
      const bytes = body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body);
      return submit<object | undefined>({ does: 'readBody', bytes, route }, bytes.length, [bytes.buffer]);
    },
    normalise: async (text) => submit({ does: 'normalise', text }, text.length),
    checkTerms: async (text) => submit({ does: 'checkTerms', text }, text.length),
    async previewTexts(source) {
      // Up to 16 million characters are copied into a message, as they were when the body came: not in the same turn.
      await nextTurn();
      return submit({ does: 'previewTexts', ...source }, (source.lines ?? source.csv ?? '').length);
    },
    async labelledTexts(csv) {
      await nextTurn();
      return submit({ does: 'labelledTexts', csv }, csv.csv.length);
    },
    async labels(file) {
      await nextTurn();
      return submit({ does: 'labels', file }, (file.csv ?? file.jsonl ?? '').length);
    },
    close,
  };
}
