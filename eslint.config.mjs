import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: ['dist/', 'dist-*/', 'node_modules/', 'tools/bin/', '.skein/', 'coverage/', '**/__fixtures__/'],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Nest modules are classes without members; their decorator is their content.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // An implementation may be async by its port and have nothing to await.
      '@typescript-eslint/require-await': 'off',
      // A field that is absent and one that is undefined mean the same here, so this only adds noise.
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // `() => void promise` and `() => call()` are how a callback says that it answers nothing.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignoreConditionalTests: true }],
      // Nest types its option bags as classes; nobody makes instances of them.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-params': 'off',
      '@typescript-eslint/max-params': ['error', { max: 5 }],
      'max-depth': ['error', 3],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: ['libs/platform/**', 'tools/**', 'test/**', 'bench/**', 'examples/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only libs/platform reads the environment.' },
      ],
    },
  },
  {
    // The engine decides; whoever runs it brings time, network and files, so that a run can be played again.
    files: ['libs/engine/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['fetch', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'process', 'console'].map(
          (name) => ({ name, message: 'The engine has no clock and does no I/O of its own.' }),
        ),
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'Date',
          property: 'now',
          message: 'The engine reads no clock: take `now` from the invocation.',
        },
        { object: 'Math', property: 'random', message: 'A run has to be the same when it is played again.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'The engine reads no clock: take `now` from the invocation.',
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      // expect(mock.method) reads a method without calling it.
      '@typescript-eslint/unbound-method': 'off',
      // expect.objectContaining() and parsed bodies are any by their own types.
      '@typescript-eslint/no-unsafe-argument': 'off',
      // What afterAll stops may not have been started: beforeAll can fail.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    // The types these rules read are there once `npm run test:compat` or `bench -- turn --peers` has installed them.
    files: ['test/compat/**/*.ts', 'bench/peers/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
        URL: 'readonly',
      },
    },
  },
);
