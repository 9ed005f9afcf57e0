const { availableParallelism } = require('node:os');
const path = require('node:path');

// The stacks of all suites run the same agents; each process of each would compile them anew.
process.env.AGENTS_CACHE_DIR ??= path.join(__dirname, 'node_modules', '.cache', 'skein-agents');

const swc = [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2023',
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

const moduleNameMapper = {
  '^@skein/adk/testing$': '<rootDir>/libs/adk-testing/src/index.ts',
  '^@skein/stack$': '<rootDir>/tools/stack/src/index.ts',
  '^@skein/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
};

/** @returns a jest project: one suite, named as its npm script is. */
function project(displayName, testMatch, extra = {}) {
  return {
    displayName,
    testMatch,
    rootDir: __dirname,
    testEnvironment: 'node',
    modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/dist-', '<rootDir>/.skein/'],
    moduleFileExtensions: ['js', 'json', 'ts', 'mjs'],
    transform: { '^.+\\.(ts|js|mjs)$': swc },
    transformIgnorePatterns: ['/node_modules/(?!(@nestjs|@nats-io)/)'],
    moduleNameMapper,
    ...extra,
  };
}

module.exports = {
  testSequencer: '<rootDir>/jest.sequencer.js',
  testTimeout: 30_000,
  // A good part of what a spec does is waiting for the processes it started. A share above 100% would be a number to jest.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // In a process of its own, ended once it holds this much: what hundreds of specs leave behind slows the last ones down.
  workerIdleMemoryLimit: '1GB',
  projects: [
    project('unit', [
      '<rootDir>/{apps,libs,bench,docs,examples}/**/*.spec.ts',
      '<rootDir>/tools/*/src/**/*.spec.ts',
      // Of what the chaos suites are made of; no fleet is started for it.
      '<rootDir>/test/chaos/*/*.spec.ts',
    ]),
    project('integration', [
      '<rootDir>/test/integration/**/*.spec.ts',
      '<rootDir>/tools/*/test/**/*.spec.ts',
    ]),
    project('conformance', ['<rootDir>/test/conformance/**/*.spec.ts']),
    // Not part of `npm test`: its fleets are killed and starved, which takes its time.
    project('chaos', ['<rootDir>/test/chaos/*.spec.ts']),
    // Not part of `npm test`: the server it tests is one that S3_ENDPOINT names.
    project('object-store', ['<rootDir>/test/object-store/**/*.spec.ts']),
    // Not part of `npm test`: npm's @google/adk has to be installed, in test/compat.
    project('compat', ['<rootDir>/test/compat/types/**/*.spec.ts'], {
      transformIgnorePatterns: ['/node_modules/(?!(@nestjs|@nats-io|@google/adk|lodash-es)/)'],
    }),
    // As compat, but for these specs '@google/adk' is Skein: the other one they play in a process of its own.
    project('side-by-side', ['<rootDir>/test/compat/side-by-side/**/*.spec.ts'], {
      moduleNameMapper: { ...moduleNameMapper, '^@google/adk$': '<rootDir>/libs/adk/src/index.ts' },
    }),
    // Not part of `npm test`: it asks real models, and fails where no provider's key is set.
    project('live', ['<rootDir>/test/live/**/*.spec.ts']),
    project('security', ['<rootDir>/test/security/**/*.spec.ts']),
    // Not part of `npm test`: it needs a Docker engine, which it does not do without in silence.
    project('containers', ['<rootDir>/test/containers/**/*.spec.ts'], {
      globalSetup: '<rootDir>/test/containers/global-setup.ts',
      globalTeardown: '<rootDir>/test/containers/global-teardown.ts',
    }),
  ],
};
