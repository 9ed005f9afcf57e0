import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { nodeArguments } from './node-arguments';

/** Makes garbage, rests, and says when V8 collects to give memory back, which is told by this flag. */
const RESTING = `
  const { constants, PerformanceObserver } = require('node:perf_hooks');
  const givesBack = ({ detail }) => detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY;
  new PerformanceObserver((list) => {
    for (const _collection of list.getEntries().filter(givesBack)) console.log('collected');
  }).observe({ entryTypes: ['gc'] });
  require('node:v8').setFlagsFromString('--expose-gc');
  let held = Array.from({ length: 300_000 }, (_none, n) => ({ n }));
  require('node:vm').runInNewContext('gc')();
  held = undefined;
  console.log('resting');
  setTimeout(() => undefined, 100_000);
`;

describe('nodeArguments', () => {
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  /** Runs the program; what it wrote so far, and what waits until it has written so many lines. */
  function rest(args: readonly string[]): { lines: string[]; written: (count: number) => Promise<void> } {
    const child = spawn(process.execPath, [...args, '-e', RESTING], { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const written = async (count: number): Promise<void> => {
      while (lines.length < count) await once(reader, 'line', { signal: AbortSignal.timeout(50_000) });
    };
    return { lines, written };
  }

  it('has a process that rests keep its memory, where V8 by itself has collected it', async () => {
    const ours = rest(nodeArguments);
    await ours.written(1);
    const plain = rest([]);
    await plain.written(2);
    expect(plain.lines).toEqual(['resting', 'collected']);
    expect(ours.lines).toEqual(['resting']);
  }, 60_000);

  it('is what the image says as well', () => {
    const image = readFileSync(path.join(__dirname, '..', '..', '..', 'Dockerfile'), 'utf8');
    const entry = /^ENTRYPOINT (.*)$/m.exec(image)?.[1] ?? '';
    expect(JSON.parse(entry)).toEqual(['node', ...nodeArguments, '/app/tools/image/start.mjs']);
  });
});
