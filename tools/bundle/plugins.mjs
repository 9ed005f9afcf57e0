import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';

/** Packages that stay where npm put them; with a stroke at the end, all below them too. */
const LEFT_OUT = [
  // OpenTelemetry traces what is required by its name.
  'pg',
  // Tracers that were got before the SDK began are handed on to it by the very module that gave them.
  '@opentelemetry/api',
  // They look for files of their own.
  'jiti',
  'node-sqlite3-wasm',
  'piscina',
  // Loaded where they are first used, which is in few processes.
  '@anthropic-ai/sdk',
  '@google/genai',
  '@modelcontextprotocol/sdk/',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/instrumentation-http',
  '@opentelemetry/instrumentation-pg',
  '@opentelemetry/sdk-node',
  '@readme/openapi-parser',
  'minio',
  'openai',
  'undici',
  'yaml',
];

/** Leaves out the packages above, and those that another package can use and that are not installed. */
export const somePackagesLeftOut = {
  name: 'some-packages-left-out',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path: id, pluginData, ...from }) => {
      if (pluginData === 'looked up') return undefined;
      if (LEFT_OUT.some((name) => id === name || (name.endsWith('/') && id.startsWith(name))))
        return { external: true };
      const found = await resolve(id, { ...from, pluginData: 'looked up' });
      return found.errors.length > 0 && !id.startsWith('@skein/') ? { external: true } : found;
    });
  },
};

/** Nest tells of classes by their names, and esbuild gives new ones where it puts ES modules into one scope. */
export const nestKeepsItsNames = {
  name: 'nest-keeps-its-names',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]@nestjs[\\/].*\.js$/ }, async ({ path: file }) => {
      const text = (await readFile(file, 'utf8')).replaceAll('import.meta.url', '__filename');
      const { code } = await transform(text, { keepNames: true, target: 'node20' });
      return { contents: code, loader: 'js' };
    });
  },
};

/** What a bundle begins with: the folder of all bundles, in whichever of its folders this one lies. */
export const BUNDLED = `const __bundled = __dirname.slice(0, __dirname.lastIndexOf('bundled') + 'bundled'.length);`;

/** Gives our modules the places they would have below the folder of the bundles: some find others by theirs. */
export function modulesKeepTheirPlaces(dist) {
  return {
    name: 'modules-keep-their-places',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]dist[\\/](apps|libs)[\\/].*\.js$/ }, async ({ path: file }) => {
        const text = await readFile(file, 'utf8');
        if (!/__(file|dir)name/.test(text)) return undefined;
        const place = JSON.stringify(path.relative(dist, file).split(path.sep));
        const names = `const { join, dirname } = require('node:path'), __filename = join(__bundled, ...${place}), __dirname = dirname(__filename);`;
        // On the line that is there, so that the source map stays right.
        return { contents: text.replace('"use strict";', `"use strict"; ${names}`), loader: 'js' };
      });
    },
  };
}
