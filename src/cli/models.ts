/** The process behind `parapet models`: hands arguments, streams and settings to the command. */
import process from 'node:process';
import { loadConfig } from '../config/config.js';
import { inPackage } from '../config/package-version.js';
import { runModelsCli } from './models/models-command.js';

process.exitCode = await runModelsCli(process.argv.slice(2), {
  servedFolder: () => loadConfig().modelDir,
  places: [inPackage('models'), 'models'],
  stdout: process.stdout,
  stderr: process.stderr,
});
