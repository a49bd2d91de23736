/** The contract of the store on files. */
import { openFileStore } from '../../../src/storage/file-store.js';
import { freshKeyFile } from '../../unit/storage/store-folder.js';
import { describeStore } from './store-contract.js';

describeStore('files', {
  fresh: () => {
    const file = freshKeyFile();
    return Promise.resolve((options) => Promise.resolve(openFileStore(file, options)));
  },
});
