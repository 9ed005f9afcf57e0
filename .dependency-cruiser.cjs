/** What each part may import (ARCHITECTURE.md). Anything else under libs/ or apps/ is refused. */
const MAY_IMPORT = {
  contracts: [],
  engine: ['contracts'],
  platform: ['contracts'],
  messaging: ['contracts', 'platform'],
  models: ['contracts', 'engine'],
  toolsets: ['contracts', 'engine'],
  'fleet-limiter': ['contracts', 'messaging', 'models', 'platform'],
  'artifact-store': ['contracts', 'engine'],
  'session-client': ['contracts', 'engine', 'messaging'],
  'session-store': ['contracts', 'engine'],
  'session-sources': ['contracts', 'engine'],
  'code-executors': ['contracts', 'engine'],
  adk: ['contracts', 'engine', 'models', 'toolsets', 'code-executors'],
  // What an author's tests import: it has nothing that the author has not.
  'adk-testing': ['adk'],
  'agent-loader': ['contracts', 'engine', 'models', 'toolsets', 'adk', 'adk-testing'],
  testing: ['contracts', 'engine', 'artifact-store'],
};

/** A vendor's package has one home; elsewhere it is reached through that lib. */
const VENDOR_HOMES = {
  '@nats-io/': ['messaging'],
  typeorm: ['session-store'],
  pg: ['session-store', 'session-sources'],
  'node-sqlite3-wasm': ['session-sources'],
  pino: ['platform'],
  '@opentelemetry/(sdk|exporter|instrumentation)': ['platform'],
  '@google/genai': ['models'],
  '@anthropic-ai/sdk': ['models'],
  openai: ['models'],
  jiti: ['agent-loader'],
  minio: ['artifact-store'],
  undici: ['toolsets'],
  '@modelcontextprotocol/': ['toolsets'],
  'ipaddr.js': ['toolsets'],
  '@readme/openapi-parser': ['toolsets'],
  yaml: ['toolsets'],
};

const NOT_SPEC = '\\.spec\\.ts$';

module.exports = {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([lib, allowed]) => ({
      name: `${lib}-imports-only-what-it-may`,
      severity: 'error',
      from: { path: `^libs/${lib}/`, pathNot: NOT_SPEC },
      to: {
        path: '^(libs|apps|tools)/',
        pathNot: [`^libs/${lib}/`, ...allowed.map((name) => `^libs/${name}/src/index\\.ts$`)],
      },
    })),
    ...Object.entries(VENDOR_HOMES).map(([vendor, homes]) => ({
      name: `${vendor.replaceAll(/\W+/g, '-')}-has-one-home`,
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: [NOT_SPEC, ...homes.map((home) => `^libs/${home}/`)] },
      to: { path: `node_modules/${vendor}` },
    })),
    {
      name: 'no-app-imports-another',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'libs-only-through-their-front-door',
      severity: 'error',
      from: { path: '^(apps|tools|bench|test|examples)/' },
      to: { path: '^libs/', pathNot: '^libs/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'session-store-belongs-to-session-svc',
      severity: 'error',
      // The bench measures the store by itself, too.
      from: {
        path: '^(apps|tools|bench)/',
        pathNot: '^(apps/session-svc/|bench/(store-appends|scenarios/append)\\.ts$)',
      },
      to: { path: '^libs/session-store/' },
    },
    {
      name: 'engine-does-no-io',
      severity: 'error',
      from: { path: '^libs/engine/', pathNot: NOT_SPEC },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|async_hooks|diagnostics_channel)$' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      // @google/adk is there once `npm run test:compat` has installed it; the peers once they are measured.
      from: { pathNot: '^(test/compat|bench/peers)/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|dist-[a-z-]+|node_modules|tools/bin)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'import', 'default', 'types'],
      extensions: ['.ts', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
