/** The process behind `npx parapet audit`: hands arguments, streams and the store to the command. */
import process from 'node:process';
import { runAuditCli } from './admin/audit-command.js';
import { openStoreHere } from './store-here.js';

process.exitCode = await runAuditCli(process.argv.slice(2), {
  openStore: openStoreHere,
  stdout: process.stdout,
  stderr: process.stderr,
});
