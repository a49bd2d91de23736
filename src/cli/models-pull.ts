/** The process behind `npm run models:pull`: hands arguments and streams to the command. */
import process from 'node:process';
import { runModelsPull } from './models-pull-command.js';

process.exitCode = await runModelsPull(process.argv.slice(2), { stdout: process.stdout, stderr: process.stderr });
