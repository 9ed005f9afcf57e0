import { type BaseAgent, isApp, isBaseAgent } from '@skein/engine';
import { loadFailed } from './load-failed';

/** The root agent an agent file exports: `rootAgent`, or that of `app`; either may sit in a default export. */
export function rootAgentOf(file: string, exported: Readonly<Record<string, unknown>>): BaseAgent {
  for (const exports of [exported, exported.default]) {
    if (!isRecord(exports)) continue;
    if (exports.app !== undefined) return agentOfApp(file, exports.app);
    if (exports.rootAgent !== undefined) return checkedAgent(file, 'rootAgent', exports.rootAgent);
  }
  throw loadFailed(file, 'it must export `rootAgent`, an agent, or `app`, an App');
}

function agentOfApp(file: string, app: unknown): BaseAgent {
  // The class is not asked for: an object of its shape says the same.
  if (!isApp(app) && !isRecord(app)) throw loadFailed(file, '`app` is not an App');
  return checkedAgent(file, 'app.rootAgent', app.rootAgent);
}

function checkedAgent(file: string, what: string, value: unknown): BaseAgent {
  if (!isBaseAgent(value)) throw loadFailed(file, `\`${what}\` is not an agent`);
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
