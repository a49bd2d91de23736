/** The process behind `npx parapet decisions`: hands arguments, streams, the store and the keys of texts to the command. */
import process from 'node:process';
import { decisionKeys, storePlace } from '../config/config.js';
import { createTextCipher } from '../decisions/text-cipher.js';
import { openStore } from '../storage/open-store.js';
import { runDecisionsCli } from './decisions-command.js';

process.exitCode = await runDecisionsCli(process.argv.slice(2), {
  openStore: () => openStore(storePlace()),
  openCipher: () => createTextCipher(decisionKeys()),
  stdout: process.stdout,
  stderr: process.stderr,
});
