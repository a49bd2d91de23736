import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Which folder of src may import which: arrows point one way, and only the composition root (src/*.ts) wires them together. */
const layers = {
  text: [],
  dataset: [],
  inference: ['text'],
  moderation: ['inference'],
  keys: [],
  storage: ['keys', 'policies'],
  policies: ['moderation', 'dataset'],
  http: ['moderation', 'keys', 'policies'],
  dashboard: ['http', 'moderation', 'keys', 'policies', 'storage'],
  reading: ['http', 'dashboard', 'policies', 'text'],
  cli: ['keys', 'policies', 'moderation', 'inference', 'dashboard', 'storage', 'text', 'dataset'],
};
// src/cli holds entry points, so it may read settings as app.ts does.
const readsConfig = new Set(['cli']);

const layerRules = Object.entries(layers).map(([folder, allowed]) => {
  const roots = readsConfig.has(folder) ? 'app|engine|server' : 'app|config|engine|server';
  const forbidden = Object.keys(layers).filter((name) => name !== folder && !allowed.includes(name));
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(\\.\\./)+((${forbidden.join('|')})/|(${roots})\\.js$)`,
              message: `src/${folder} may import from: ${[...allowed, 'errors'].join(', ')} (see docs/architecture.md).`,
            },
          ],
        },
      ],
    },
  };
});

const onnxRuntime = {
  name: 'onnxruntime-node',
  message: 'It reports to its makers: open sessions with src/inference/onnx/session.ts.',
};

export default defineConfig(
  globalIgnores(['**/dist', 'coverage', 'node_modules', 'reports', '.stryker-tmp']),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Only src/config.ts reads the environment.',
        },
      ],
      'no-restricted-imports': ['error', { paths: [onnxRuntime] }],
      eqeqeq: 'error',
    },
  },
  ...layerRules,
  {
    files: ['src/config.ts', 'src/*settings.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^\\./(dashboard|http|storage|keys|policies|inference|cli)/',
              message: 'Settings are read before anything is loaded: what they need of a layer is a leaf beside them.',
            },
          ],
        },
      ],
    },
  },
  {
    // Other APIs stand on ours and not the other way round: only the assembly and the API description know of them.
    files: ['src/http/**/*.ts'],
    ignores: ['src/http/compat/**', 'src/http/http-server.ts', 'src/http/api-description.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [onnxRuntime],
          patterns: [
            { regex: '^(\\.\\./|\\./)+compat/', message: 'Nothing of our own API may rest on src/http/compat.' },
          ],
        },
      ],
    },
  },
  {
    // They are users of the library, as anybody could be.
    files: ['benchmarks/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [onnxRuntime], patterns: [{ regex: '/src/', message: 'Benchmarks import parapet/engine alone.' }] },
      ],
    },
  },
  {
    files: [
      'src/config.ts',
      'src/inference/onnx/no-telemetry.ts',
      'test/**',
      'benchmarks/**',
      'clients/**',
      '*.config.*',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['src/inference/onnx/session.ts'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['eslint.config.js'], extends: [tseslint.configs.disableTypeChecked] },
);
