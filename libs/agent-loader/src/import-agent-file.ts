import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import * as adk from '@skein/adk';
import * as adkTesting from '@skein/adk/testing';
import { createJiti } from 'jiti';
import { withGoogleAdk } from './as-google-adk';
import { type KeptCompilations } from './kept-compilations';
import { loadFailedBy } from './load-failed';

type Exports = Readonly<Record<string, unknown>>;
type Jiti = ReturnType<typeof createJiti>;
type JitiOptions = NonNullable<Parameters<typeof createJiti>[1]>;

/** Packages an agent file may use without having them: its own copy first, else this installation's. */
const LENT_PACKAGES = ['zod', '@google/genai'];

export interface ImportOptions {
  readonly adkCompat: boolean;
  /** None has each file compiled anew. */
  readonly compilations: KeptCompilations | undefined;
}

/**
 * Runs an agent file and answers its exports: TypeScript without a build step, from any folder, with that folder's
 * node_modules. `@skein/adk` is handed over as the very module the services use, because a second engine would have
 * classes and registries of its own; to an agent written for npm's package (`adkCompat`) as `@google/adk` too.
 */
export async function importAgentFile(
  file: string,
  { adkCompat, compilations }: ImportOptions,
): Promise<Exports> {
  const folder = dirname(file);
  const own = { '@skein/adk': adk, '@skein/adk/testing': adkTesting };
  const jiti = createJiti(file, {
    virtualModules: adkCompat ? withGoogleAdk(own, adk) : own,
    alias: lentPackages(file),
    // It would be written below node_modules, which a service may not be allowed to.
    fsCache: false,
    ...(compilations && { transform: compileWith(compilations) }),
  });
  try {
    return await jiti.import<Exports>(file);
  } catch (thrown) {
    forgetModules(jiti, folder);
    throw loadFailedBy(file, thrown);
  }
}

/** jiti's own compiler is loaded with the first file that is not kept. */
function compileWith(compilations: KeptCompilations): JitiOptions['transform'] {
  let compiler: Jiti | undefined;
  return (options) => ({
    code: compilations.take(options, (missing) => {
      compiler ??= createJiti(__filename, { fsCache: false });
      return compiler.transform(missing);
    }),
  });
}

/** jiti keeps modules that failed half-way; the next try has to run them anew. */
function forgetModules(jiti: Jiti, folder: string): void {
  for (const path of Object.keys(jiti.cache)) {
    if (path.startsWith(folder + sep)) Reflect.deleteProperty(jiti.cache, path);
  }
}

function lentPackages(file: string): Record<string, string> {
  const authors = createRequire(file);
  const ours = createRequire(__filename);
  const lent = LENT_PACKAGES.filter((name) => !folderOf(authors, name));
  return Object.fromEntries(
    lent.flatMap((name) => {
      const path = name === 'zod' ? folderOf(ours, name) : ours.resolve(name);
      return path === undefined ? [] : [[name, path]];
    }),
  );
}

/** Not by resolving its package.json: a package may export all but that. */
function folderOf(from: NodeJS.Require, name: string): string | undefined {
  const folders = (from.resolve.paths(name) ?? []).map((modules) => join(modules, name));
  return folders.find((folder) => existsSync(join(folder, 'package.json')));
}
