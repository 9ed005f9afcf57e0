import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import * as adk from '@skein/adk';
import * as adkTesting from '@skein/adk/testing';
import { createJiti } from 'jiti';
import { loadFailedBy } from './load-failed';

type Exports = Readonly<Record<string, unknown>>;
type Jiti = ReturnType<typeof createJiti>;

/** Packages an agent file may use without having them: its own copy first, else this installation's. */
const LENT_PACKAGES = ['zod', '@google/genai'];

/**
 * Runs an agent file and answers its exports: TypeScript without a build step, from any folder, with that folder's
 * node_modules. `@skein/adk` is handed over as the very module the services use, because a second engine would have
 * classes and registries of its own.
 */
export async function importAgentFile(file: string): Promise<Exports> {
  const folder = dirname(file);
  const jiti = createJiti(file, {
    virtualModules: { '@skein/adk': adk, '@skein/adk/testing': adkTesting },
    alias: lentPackages(file),
    // It would be written below node_modules, which a service may not be allowed to.
    fsCache: false,
  });
  try {
    return await jiti.import<Exports>(file);
  } catch (thrown) {
    forgetModules(jiti, folder);
    throw loadFailedBy(file, thrown);
  }
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
  const lent = LENT_PACKAGES.filter((name) => !canResolve(authors, name) && canResolve(ours, name));
  // The package's folder, so that `zod/v4` is found below it.
  return Object.fromEntries(lent.map((name) => [name, dirname(ours.resolve(`${name}/package.json`))]));
}

function canResolve(from: NodeJS.Require, name: string): boolean {
  try {
    from.resolve(`${name}/package.json`);
    return true;
  } catch {
    // Not to be resolved is the answer.
    return false;
  }
}
