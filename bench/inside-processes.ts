import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type StackProcess } from '@skein/stack';
import { until } from './until';

const APPS: ReadonlySet<string> = new Set(['session-svc', 'runner', 'tool-worker', 'gateway']);

/** Those of a stack's processes that are ours, and so Node. */
export function nodeProcesses(processes: readonly StackProcess[]): readonly StackProcess[] {
  return processes.filter(({ app }) => APPS.has(app));
}

/** What is preloaded into every process of a stack, and asked by a signal; each answers with a file. */
export class InsideProcesses {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'skein-bench-inside-'));

  /** @param script of bench/inside. */
  constructor(private readonly script: 'collect-garbage' | 'profile') {}

  get env(): NodeJS.ProcessEnv {
    const file = path.join(process.cwd(), 'bench', 'inside', `${this.script}.cjs`);
    return { NODE_OPTIONS: `--require ${file}`, BENCH_INSIDE_DIR: this.#folder };
  }

  signal(processes: readonly StackProcess[]): void {
    for (const { pid } of nodeProcesses(processes)) process.kill(pid, 'SIGUSR2');
  }

  /** Signals each of our processes and waits for what they write, by name of the process. */
  async ask(processes: readonly StackProcess[]): Promise<ReadonlyMap<string, unknown>> {
    this.signal(processes);
    const answers = new Map<string, unknown>();
    for (const { name, pid } of nodeProcesses(processes)) {
      const file = path.join(this.#folder, `${pid}.json`);
      await until(`the answer of ${name}`, () => existsSync(file), 60_000);
      answers.set(name, JSON.parse(readFileSync(file, 'utf8')));
      rmSync(file);
    }
    return answers;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
