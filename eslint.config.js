import tseslint from 'typescript-eslint'

const countInstead = 'A test counts, and waits with `expect.poll`, which has the limit of test/longest-wait.ts.'

export default tseslint.config(
  {
    ignores: ['dist', 'coverage', 'spec/generated', 'node_modules', 'test/generators/journeys', 'examples'],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // An operation may be synchronous today and wait for a store tomorrow.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // A test looks at an answer as it came, and says what it expects of it.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // No test asserts a time or a rate: both depend on what else the machine does.
    files: ['test/**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'performance', property: 'now', message: countInstead },
        { object: 'process', property: 'cpuUsage', message: countInstead },
        { object: 'vi', property: 'waitFor', message: countInstead },
        { object: 'vi', property: 'waitUntil', message: countInstead },
      ],
    },
  },
)
