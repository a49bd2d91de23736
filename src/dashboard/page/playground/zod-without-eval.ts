/** To be imported before a schema is made: zod would compile it, which the Content-Security-Policy forbids. */
import { config } from 'zod';

config({ jitless: true });
