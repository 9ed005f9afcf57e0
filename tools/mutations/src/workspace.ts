import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type JestReport } from './jest-report';
import { mutated, type Mutation } from './mutation';

/** Jest looks for what any of its projects begins with. */
const COPIED = [
  'libs',
  'test/containers',
  'jest.config.js',
  'jest.sequencer.js',
  'package.json',
  'tsconfig.json',
];
/** A change may make a loop endless, which no timeout inside the process would end. */
const RUN_TIMEOUT_MS = 240_000;

/** A copy of the engine in a temporary folder, where it may be broken. */
export class Workspace {
  private constructor(readonly root: string) {}

  static from(repository: string): Workspace {
    const root = mkdtempSync(path.join(tmpdir(), 'skein-mutations-'));
    for (const name of COPIED)
      cpSync(path.join(repository, name), path.join(root, name), { recursive: true });
    symlinkSync(path.join(repository, 'node_modules'), path.join(root, 'node_modules'), 'dir');
    return new Workspace(root);
  }

  /** Runs `work` on the changed engine, and takes the change back whatever comes. */
  async withMutation<T>(mutation: Mutation, work: () => Promise<T>): Promise<T> {
    const file = path.join(this.root, mutation.file);
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, mutated(source, mutation));
    try {
      return await work();
    } finally {
      writeFileSync(file, source);
    }
  }

  /** Throws when jest itself says nothing, or not in time. */
  async jest(specs: readonly string[], testName?: string): Promise<JestReport> {
    const report = path.join(this.root, 'report.json');
    rmSync(report, { force: true });
    const named = testName === undefined ? [] : ['--testNamePattern', escaped(testName)];
    const output = await this.#run([
      ...['--selectProjects', 'unit', '--runInBand', '--coverage=false', '--watchman=false', '--silent'],
      ...['--cacheDirectory', path.join(this.root, '.cache'), '--json', '--outputFile', report],
      ...named,
      ...['--runTestsByPath', ...specs],
    ]);
    try {
      return JSON.parse(readFileSync(report, 'utf8')) as JestReport;
    } catch (cause) {
      throw new Error(`jest left no report: ${output.trim().split('\n').at(-1) ?? ''}`, { cause });
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  async #run(args: readonly string[]): Promise<string> {
    const jest = path.join(this.root, 'node_modules/jest/bin/jest.js');
    const child = spawn(process.execPath, [jest, ...args], {
      cwd: this.root,
      timeout: RUN_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (_code, signal) =>
        resolve(signal ? `it was ended by ${signal} after ${RUN_TIMEOUT_MS} ms` : output),
      );
    });
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
