import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Which folder of src may import which: arrows point one way, and only the composition root (src/*.ts) wires them together. */
const layers = {
  // Read before anything is loaded.
  config: ['moderation', 'people'],
  text: [],
  dataset: [],
  inference: ['text'],
  moderation: ['inference'],
  keys: [],
  storage: ['keys', 'policies'],
  policies: ['moderation', 'dataset'],
  people: ['keys', 'storage', 'dataset'],
  decisions: ['moderation', 'storage'],
  reviews: ['moderation', 'policies', 'decisions', 'storage', 'webhooks'],
  labelling: ['moderation', 'policies', 'decisions', 'storage', 'dataset'],
  webhooks: ['storage'],
  http: ['moderation', 'keys', 'policies', 'decisions', 'reviews', 'labelling'],
  // The page reads and writes lists of terms as the service does.
  dashboard: [
    'http',
    'moderation',
    'keys',
    'policies',
    'people',
    'decisions',
    'reviews',
    'labelling',
    'webhooks',
    'storage',
    'text',
  ],
  sharing: ['http', 'moderation', 'storage'],
  reading: ['http', 'dashboard', 'policies', 'labelling', 'text'],
  // Holds entry points, so it may read settings as app.ts does.
  cli: [
    'config',
    'keys',
    'policies',
    'people',
    'decisions',
    'moderation',
    'inference',
    'dashboard',
    'storage',
    'text',
    'dataset',
  ],
};

/** All may import them. */
const leaves = { json: [], processes: [], threads: [] };

const layerRules = Object.entries({ ...layers, ...leaves }).map(([folder, allowed]) => {
  const forbidden = Object.keys(layers).filter((name) => name !== folder && !allowed.includes(name));
  return {
    files: [`src/${folder}/**/*.{ts,tsx}`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(\\.\\./)+((${forbidden.join('|')})/|(app|engine|server)\\.js$)`,
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
          message: 'Only src/config/config.ts reads the environment.',
        },
      ],
      'no-restricted-imports': ['error', { paths: [onnxRuntime] }],
      eqeqeq: 'error',
    },
  },
  ...layerRules,
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
      'src/config/config.ts',
      'src/inference/onnx/no-telemetry.ts',
      'test/**',
      'benchmarks/**',
      'clients/**',
      '*.config.*',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['**/*.cts'], rules: { '@typescript-eslint/no-require-imports': ['error', { allowAsImport: true }] } },
  { files: ['src/inference/onnx/session.ts'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['eslint.config.js'], extends: [tseslint.configs.disableTypeChecked] },
);
