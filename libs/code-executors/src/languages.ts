import { accessSync, constants } from 'node:fs';
import path from 'node:path';

export type Language = 'javascript' | 'python';

/** How a file of code is run. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly filename: string;
}

/** What models call a language. */
const NAMES: Readonly<Record<string, Language>> = {
  javascript: 'javascript',
  js: 'javascript',
  python: 'python',
  python3: 'python',
  py: 'python',
};
/** Not PATH: only platform reads the environment. */
const PROGRAM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'];
const MAX_HEAP_MB = 256;

export function languageCalled(name: string): Language | undefined {
  return Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
}

/** The program for code of a language, or nothing when this machine has none. */
export function programFor(language: Language, code: string): Program | undefined {
  switch (language) {
    case 'javascript':
      return {
        command: process.execPath,
        args: [`--max-old-space-size=${MAX_HEAP_MB}`, '--no-warnings'],
        filename: isModule(code) ? 'main.mjs' : 'main.cjs',
      };
    case 'python': {
      const command = findProgram('python3');
      // Isolated: nothing beside the code is imported, and no site packages of a user.
      return command === undefined ? undefined : { command, args: ['-I', '-B'], filename: 'main.py' };
    }
  }
}

/** Node tells a module by its file's name, and a model does not name a file. */
function isModule(code: string): boolean {
  return /^\s*(import\s|import\(|export\s|await\s)/m.test(code) && !/\brequire\(/.test(code);
}

function findProgram(name: string): string | undefined {
  return PROGRAM_FOLDERS.map((folder) => path.join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Not there, or not ours to run: the next folder may have it.
    return false;
  }
}
