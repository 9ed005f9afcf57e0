import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@skein/engine';
import { LocalCodeExecutor, type LocalCodeExecutorOptions } from './local-code-executor';

function aContext(signal = new AbortController().signal): Context {
  const session = { appName: 'app', userId: 'u', id: 's', state: {} };
  return new Context({ invocationId: 'e-1', session, agentName: 'root', signal });
}

async function run(code: string, options: LocalCodeExecutorOptions = {}, language = 'javascript') {
  return new LocalCodeExecutor(options).executeCode({ code, language }, aContext());
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie is dead, but has a number until somebody asks for its end.
    return !/State:\s+Z/.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function untilDead(pid: number): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (isAlive(pid)) {
    if (performance.now() > deadline) throw new Error(`process ${pid} still runs after 5 s`);
    await delay(10);
  }
}

describe('LocalCodeExecutor', () => {
  it('runs JavaScript in a process of its own and answers what it printed', async () => {
    const { stdout, stderr } = await run('console.log(process.pid !== 1 && 6 * 7)');

    expect({ stdout, stderr }).toEqual({ stdout: '42', stderr: '' });
  });

  it('runs modules with top-level await too', async () => {
    const { stdout } = await run(
      "import os from 'node:os';\nconsole.log(await Promise.resolve(typeof os.EOL));",
    );

    expect(stdout).toBe('string');
  });

  it('runs Python where there is one', async () => {
    const { stdout, stderr } = await run('print(6 * 7)', {}, 'python');

    expect([stdout, stderr]).toEqual(
      existsSync('/usr/bin/python3') || existsSync('/usr/local/bin/python3')
        ? ['42', '']
        : ['', 'This machine has no python.'],
    );
  });

  it('tells what the code does wrong in stderr, with what it printed before', async () => {
    const { stdout, stderr } = await run("console.log('before'); throw new Error('Broken.')");

    expect(stdout).toBe('before\n');
    expect(stderr).toContain('Error: Broken.');
  });

  it('tells an exit code that says nothing else', async () => {
    const { stderr } = await run('process.exit(3)');

    expect(stderr).toBe('The code ended with exit code 3.');
  });

  it('takes warnings of code that ended well for output', async () => {
    const result = await run("console.log('out'); console.error('careful')");

    expect(result).toEqual({ stdout: 'out\ncareful', stderr: '' });
  });

  it('gives the code no environment and no input', async () => {
    const code = `
      const { readFileSync } = require('node:fs');
      const names = Object.keys(process.env).filter((name) => !name.startsWith('__CF'));
      console.log(JSON.stringify([names, readFileSync(0, 'utf8')]));`;

    const { stdout } = await run(code);

    expect(stdout).toBe('[[],""]');
  });

  it('gives the code a folder of its own and removes it with all that was written there', async () => {
    const code = "require('node:fs').writeFileSync('mine.txt', 'x'); console.log(process.cwd())";

    const [one, other] = await Promise.all([run(code), run(code)]);

    expect(one.stdout).not.toBe(other.stdout);
    expect([existsSync(one.stdout), existsSync(other.stdout)]).toEqual([false, false]);
  });

  it('bounds what the code prints', async () => {
    const { stdout } = await run("process.stdout.write('x'.repeat(1_000_000))");

    expect(stdout.length).toBeLessThan(70_000);
    expect(stdout).toContain('[cut at 65536 bytes]');
  });

  it('ends code that takes too long, with all that it started', async () => {
    const code = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log(child.pid);
      setInterval(() => {}, 1000);`;

    const { stdout, stderr } = await run(code, { timeoutMs: 1_000 });

    expect(stderr).toBe('The code did not finish within 1000 ms.');
    await untilDead(Number(stdout));
  });

  it('ends what the code left running when it ended itself', async () => {
    const code = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      child.unref();
      console.log(child.pid);
      process.exit(0);`;

    const { stdout } = await run(code);

    await untilDead(Number(stdout));
  });

  it('ends the code and rejects when its call is aborted', async () => {
    const stop = new AbortController();
    const executor = new LocalCodeExecutor();
    const code = 'setInterval(() => {}, 1000)';

    const running = executor.executeCode({ code, language: 'javascript' }, aContext(stop.signal));
    setImmediate(() => stop.abort(new Error('Stopped.')));

    await expect(running).rejects.toThrow('Stopped.');
  });

  it('refuses a language it may not or cannot run, as something the code did wrong', async () => {
    const executed = [await run('1', { languages: ['python'] }), await run('1', {}, 'cobol')];

    expect(executed.map(({ stderr }) => stderr)).toEqual([
      'Code in "javascript" is not run here; only python.',
      'Code in "cobol" is not run here; only javascript, python.',
    ]);
  });

  it('takes code of no named language for its first one', async () => {
    const { stdout } = await run('console.log(1)', {}, '');

    expect(stdout).toBe('1');
  });

  it('lets the call last longer than the code may', () => {
    const { toolOptions, timeoutMs } = new LocalCodeExecutor({ timeoutMs: 5_000, pool: 'code' });

    expect(toolOptions).toMatchObject({ pool: 'code' });
    expect(toolOptions.timeoutMs).toBeGreaterThan(timeoutMs);
  });
});
