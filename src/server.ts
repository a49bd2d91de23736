/** Entry point of `npm start`. */
import { runService } from './service-process.js';

await runService();
