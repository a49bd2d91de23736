/** The process behind `npx parapet store`: hands arguments, streams and the store to the command. */
import process from 'node:process';
import { storePlace } from '../config/config.js';
import { openStore } from '../storage/open-store.js';
import { runStoreCli } from './store-command.js';

process.exitCode = await runStoreCli(process.argv.slice(2), {
  openStore: () => openStore(storePlace()),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
