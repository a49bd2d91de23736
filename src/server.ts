/** Entry point of `npm start`, and of each process of `parapet start --processes`. */
import { siblingProcesses } from './processes/sibling-processes.js';
import { runService } from './service-process.js';

const siblings = siblingProcesses();
const { listensWhenReady = false } = siblings ?? {};
// Of several, the first says what concerns all.
await runService({ ...(siblings && { siblings }), listensWhenReady, warnsOfNoKey: !listensWhenReady });
siblings?.ready();
