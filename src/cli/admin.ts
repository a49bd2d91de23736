/** The process behind `npm run admin`: hands arguments, streams and the store to the command. */
import process from 'node:process';
import { adminPasswordHash, keysFilePath } from '../config/config.js';
import { openFileStore } from '../storage/file-store.js';
import { runAdminCli } from './admin-command.js';
import { readPassword } from './password-input.js';

process.exitCode = await runAdminCli(process.argv.slice(2), {
  adminPassword: openFileStore(keysFilePath()).adminPassword,
  passwordHash: adminPasswordHash,
  readPassword: () => readPassword(process.stdin, process.stderr),
  stdout: process.stdout,
  stderr: process.stderr,
});
