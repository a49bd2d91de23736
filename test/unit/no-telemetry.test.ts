/** Promises of SECURITY.md about what reports to its makers. test/e2e/operations/nothing-leaves.test.ts watches what programs do. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { turnOffTelemetry } from '../../src/inference/onnx/no-telemetry.js';
import { openSession } from '../../src/inference/onnx/session.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

describe('ONNX Runtime', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is not started where nobody turned its reports off', () => {
    vi.stubEnv('ORT_DISABLE_TELEMETRY', undefined);
    expect(() => openSession('model.onnx')).toThrow('ORT_DISABLE_TELEMETRY must be set');
    vi.stubEnv('ORT_DISABLE_TELEMETRY', '0');
    expect(() => openSession('model.onnx')).toThrow('ORT_DISABLE_TELEMETRY must be set');
  });

  it('has them off whatever the environment says', () => {
    vi.stubEnv('ORT_DISABLE_TELEMETRY', '0');
    turnOffTelemetry();
    expect(process.env.ORT_DISABLE_TELEMETRY).toBe('1');
  });

  it('has them off in the image, for all that is run in it', () => {
    expect(read('Dockerfile').split('\nFROM ').at(-1)).toMatch(/^ENV .*\bORT_DISABLE_TELEMETRY=1\b/m);
  });

  // By their types, so that links are not followed: one in benchmarks leads back to the root.
  const scripts = ['models/training/', 'benchmarks/'].flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
      .map((entry) => relative(fileURLToPath(ROOT), join(entry.parentPath, entry.name))),
  );
  const importing = scripts.filter((path) => /^(import|from) onnxruntime\b/m.test(read(path)));

  it.each(importing)('has them off before %s imports it', (path) => {
    const [before = ''] = read(path).split(/^(?:import|from) onnxruntime\b/m);
    expect(before).toMatch(/^os\.environ\["ORT_DISABLE_TELEMETRY"\] = "1"$/m);
  });

  it('is imported by the pipeline and by a peer of the load benchmark', () => {
    expect(importing).toContain('models/training/parapet_training/scoring.py');
    expect(importing).toContain('benchmarks/load/peers/fastapi_onnx.py');
  });
});
