import { App, describeError, isApp, isBaseAgent } from '@skein/engine';
import { loadFailed } from './load-failed';

/** The app an agent file exports: `app`, or a bare `rootAgent`; either may sit in a default export. */
export function appOf(name: string, file: string, exported: Readonly<Record<string, unknown>>): App {
  for (const exports of [exported, exported.default]) {
    if (!isRecord(exports)) continue;
    if (exports.app !== undefined) return checkedApp(name, file, exports.app);
    if (exports.rootAgent !== undefined) return bareApp(name, file, exports.rootAgent);
  }
  throw loadFailed(file, 'it must export `rootAgent`, an agent, or `app`, an App');
}

function checkedApp(name: string, file: string, app: unknown): App {
  if (isApp(app)) return app;
  // The class is not asked for: an object of its shape says the same.
  if (!isRecord(app)) throw loadFailed(file, '`app` is not an App');
  if (!isBaseAgent(app.rootAgent)) throw loadFailed(file, '`app.rootAgent` is not an agent');
  // App checks every other field itself.
  return built(file, () => new App({ ...app, name } as ConstructorParameters<typeof App>[0]));
}

function bareApp(name: string, file: string, rootAgent: unknown): App {
  if (!isBaseAgent(rootAgent)) throw loadFailed(file, '`rootAgent` is not an agent');
  return built(file, () => new App({ name, rootAgent }));
}

function built(file: string, build: () => App): App {
  try {
    return build();
  } catch (error) {
    throw loadFailed(file, describeError(error).replace(/\.$/, ''));
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
