/** What decides on a text where nobody sets anything else. */
import { loadConfig } from '../../src/config/config.js';

export const SETTINGS = loadConfig({}).verdictPolicy;
