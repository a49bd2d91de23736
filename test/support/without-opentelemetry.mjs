/** Preloaded into the service: its OpenTelemetry packages are not installed, and whoever asks for one is told so. */
import { register } from 'node:module';

const hooks = `
  export async function resolve(specifier, context, next) {
    if (!specifier.startsWith('@opentelemetry/')) return next(specifier, context);
    process.stderr.write('asked for ' + specifier + '\\n');
    throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
