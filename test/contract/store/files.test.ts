/** The contract of the store on files. */
import { openFileStore } from '../../../src/storage/file-store.js';
import { freshKeyFile } from '../../unit/storage/store-folder.js';
import { builtUrl } from '../../support/built.js';
import { describeStore } from './store-contract.js';

const sqliteWorkerUrl = builtUrl('storage/sql/sqlite-worker.js');

describeStore('files', {
  fresh: () => {
    const file = freshKeyFile();
    return Promise.resolve((options) => Promise.resolve(openFileStore(file, { ...options, sqliteWorkerUrl })));
  },
});
