/** The process behind `parapet doctor`: hands arguments, streams and settings to the command. */
import process from 'node:process';
import { loadConfig } from '../config/config.js';
import { runDoctorCli } from './doctor/doctor-command.js';

// Ended at once: a library that was loaded only to see whether it loads may hold the process.
process.exit(
  await runDoctorCli(process.argv.slice(2), {
    config: () => loadConfig(),
    now: () => new Date(),
    stdout: process.stdout,
    stderr: process.stderr,
  }),
);
