import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Content } from '@skein/contracts';
import { readStackConfig, type StackProcess, startStack } from '@skein/stack';
import { waitUntil } from './wait-until';

/** Agent files by app name, as an author would write them. */
export type AgentFiles = Readonly<Record<string, string>>;

export interface SkeinOptions {
  readonly agents: AgentFiles;
  /** Over the environment of the test; `undefined` takes a variable away. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A line of the scripted models' log. */
export interface ModelRequest {
  readonly sessionId: string;
  readonly agent: string;
  readonly ordinal: number;
  readonly pid: number;
  readonly request: { readonly contents: readonly Content[] };
}

/** A whole stack in processes of its own, and a folder of agents the repository does not know. */
export class Skein {
  private constructor(
    readonly url: string,
    readonly dataDir: string,
    readonly processes: () => readonly StackProcess[],
    /** Everything the processes have logged so far. */
    readonly log: () => string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start({ agents, env = {} }: SkeinOptions): Promise<Skein> {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'skein-test-'));
    const agentsDir = mkdtempSync(path.join(tmpdir(), 'skein-agents-'));
    writeAgents(agentsDir, agents);
    const lines: string[] = [];
    const output = { write: (text: string) => lines.push(text) > 0, writableLength: 0 };
    const config = readStackConfig([], {
      ...process.env,
      PORT: '0',
      // No load balancer has to see that it ends.
      DRAIN_MS: '0',
      DATA_DIR: dataDir,
      AGENTS_DIR: agentsDir,
      SCRIPTED_LLM_LOG: path.join(dataDir, 'requests.jsonl'),
      ...env,
    });
    const remove = (): void => {
      for (const folder of [dataDir, agentsDir]) rmSync(folder, { recursive: true, force: true });
    };
    try {
      const stack = await startStack({ config, output, signal: new AbortController().signal });
      const stop = async (): Promise<void> => {
        await stack.stop();
        remove();
      };
      const log = (): string => lines.join('');
      return new Skein(stack.urlOf('gateway') ?? '', dataDir, () => stack.processes(), log, stop);
    } catch (error) {
      remove();
      throw new Error(`the stack did not start; its log:\n${lines.join('')}`, { cause: error });
    }
  }

  /** What the scripted models were asked so far, in order. */
  modelRequests(): ModelRequest[] {
    const file = path.join(this.dataDir, 'requests.jsonl');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as ModelRequest);
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
    return JSON.parse(readFileSync(path.join(this.dataDir, 'stack.json'), 'utf8')) as {
      databaseUrl: string;
      natsUrl: string;
    };
  }
}

/** Writes agent files as the folders of an AGENTS_DIR. */
export function writeAgents(agentsDir: string, agents: AgentFiles): void {
  for (const [app, source] of Object.entries(agents)) {
    mkdirSync(path.join(agentsDir, app), { recursive: true });
    writeFileSync(path.join(agentsDir, app, 'agent.ts'), source);
  }
}
