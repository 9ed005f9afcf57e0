import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readStackConfig, type StackProcess, startStack } from '@skein/stack';
import { waitUntil } from './wait-until';

/** Agent files by app name, as an author would write them. */
export type AgentFiles = Readonly<Record<string, string>>;

export interface SkeinOptions {
  readonly agents: AgentFiles;
  /** Over the environment of the test; `undefined` takes a variable away. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A whole stack in processes of its own, and a folder of agents the repository does not know. */
export class Skein {
  private constructor(
    readonly url: string,
    readonly folder: string,
    readonly processes: () => readonly StackProcess[],
    /** Everything the processes have logged so far. */
    readonly log: () => string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start({ agents, env = {} }: SkeinOptions): Promise<Skein> {
    const folder = mkdtempSync(path.join(tmpdir(), 'skein-test-'));
    writeAgents(path.join(folder, 'agents'), agents);
    const lines: string[] = [];
    const output = { write: (text: string) => lines.push(text) > 0, writableLength: 0 };
    const config = readStackConfig([], {
      ...process.env,
      PORT: '0',
      DATA_DIR: path.join(folder, 'data'),
      AGENTS_DIR: path.join(folder, 'agents'),
      ...env,
    });
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    try {
      const stack = await startStack({ config, output, signal: new AbortController().signal });
      const stop = async (): Promise<void> => {
        await stack.stop();
        remove();
      };
      const log = (): string => lines.join('');
      return new Skein(stack.urlOf('gateway') ?? '', folder, () => stack.processes(), log, stop);
    } catch (error) {
      remove();
      throw new Error(`the stack did not start; its log:\n${lines.join('')}`, { cause: error });
    }
  }

  get databaseUrl(): string {
    return this.#addresses().databaseUrl;
  }

  get natsUrl(): string {
    return this.#addresses().natsUrl;
  }

  pidsOf(app: string): number[] {
    return this.processes()
      .filter((child) => child.app === app)
      .map(({ pid }) => pid);
  }

  /** Waits for a line of the log, since the log is written by other processes. */
  async untilLogged(pattern: RegExp, deadlineMs = 20_000): Promise<string> {
    return waitUntil(`a log line like ${pattern}`, () => pattern.exec(this.log())?.[0], deadlineMs);
  }

  #addresses(): { databaseUrl: string; natsUrl: string } {
    // Written by the stack itself.
    return JSON.parse(readFileSync(path.join(this.folder, 'data', 'stack.json'), 'utf8')) as {
      databaseUrl: string;
      natsUrl: string;
    };
  }
}

function writeAgents(agentsDir: string, agents: AgentFiles): void {
  for (const [app, source] of Object.entries(agents)) {
    mkdirSync(path.join(agentsDir, app), { recursive: true });
    writeFileSync(path.join(agentsDir, app, 'agent.ts'), source);
  }
}
