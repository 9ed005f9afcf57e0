import { existsSync, readdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { appNameSchema } from '@skein/contracts';

/** In the order they are looked for. */
const AGENT_FILES = ['agent.ts', 'agent.js', 'agent.mjs'];

/** A folder that looks like an app and cannot be one. */
export interface SkippedFolder {
  readonly name: string;
  readonly reason: string;
}

/** Names of the apps below a folder, sorted; none when there is no such folder. */
export function listApps(agentsDir: string): string[] {
  return candidates(agentsDir).filter((name) => refusedName(name) === undefined);
}

/** The folders with an agent file that `listApps` leaves out, and why. Those that begin with `_` or `.` are meant to be. */
export function skippedFolders(agentsDir: string): SkippedFolder[] {
  return candidates(agentsDir).flatMap((name) => {
    const reason = refusedName(name);
    return reason === undefined ? [] : [{ name, reason }];
  });
}

/** The agent file of an app, or nothing. A name that no app can have is never looked for, so none leads elsewhere. */
export function findAgentFile(agentsDir: string, appName: string): string | undefined {
  if (refusedName(appName) !== undefined) return undefined;
  return agentFileIn(join(agentsDir, appName));
}

/** Whether the folder of agents can be read: for `/ready`. On a disk that hangs it never settles, and blocks nothing. */
export async function canReadApps(agentsDir: string): Promise<boolean> {
  await readdir(agentsDir);
  return true;
}

function candidates(agentsDir: string): string[] {
  if (!existsSync(agentsDir)) return [];
  return readdirSync(agentsDir)
    .filter((name) => !/^[_.]/.test(name) && agentFileIn(join(agentsDir, name)) !== undefined)
    .sort();
}

function agentFileIn(folder: string): string | undefined {
  for (const file of AGENT_FILES) {
    const path = join(folder, file);
    if (isFile(path)) return path;
  }
  return undefined;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function refusedName(name: string): string | undefined {
  const checked = appNameSchema.safeParse(name);
  if (checked.success) return undefined;
  return `"${name}" cannot be an app's name: ${checked.error.issues.map(({ message }) => message).join('; ')}`;
}
