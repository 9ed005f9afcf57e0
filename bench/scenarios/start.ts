import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { residentKibibytes } from '../process-figures';
import { type Measured, round } from '../report';
import { serverVersions } from '../server-versions';

/**
 * What a newcomer waits: the README's first command in a fresh clone with an empty npm cache, until the sample has
 * answered its first question; and the memory of every app at that moment. Needs `git`, and reads /proc.
 */
export async function measureStart(): Promise<Measured> {
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-start-'));
  const clone = path.join(folder, 'clone');
  const dataDir = path.join(clone, '.skein');
  execFileSync('git', ['clone', '--quiet', process.cwd(), clone]);
  const cache = path.join(folder, 'npm-cache');

  const begun = performance.now();
  execFileSync('npm', ['ci', '--cache', cache], { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'] });
  const installed = performance.now();
  const stack = spawn('npm', ['start'], { cwd: clone, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await readyUrl(stack);
    const ready = performance.now();
    await firstAnswer(url);
    const answered = performance.now();
    return {
      ...(await serverVersions(dataDir)),
      figures: {
        installSeconds: round((installed - begun) / 1000),
        startSeconds: round((ready - installed) / 1000),
        firstAnswerSeconds: round((answered - ready) / 1000),
        coldToFirstAnswerSeconds: round((answered - begun) / 1000),
        ...residentMegabytes(dataDir),
      },
    };
  } finally {
    stack.kill('SIGTERM');
    if (stack.exitCode === null) await once(stack, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

function readyUrl(stack: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = '';
    // The stream is read to its end: a full pipe would hold the stack up.
    stack.stdout?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const url = /^Skein is ready: (\S+)/m.exec(log)?.[1];
      if (url) resolve(url);
    });
    stack.once('exit', () => reject(new Error(`the stack ended before it was ready:\n${log}`)));
  });
}

async function firstAnswer(url: string): Promise<void> {
  const response = await fetch(`${url}/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      appName: 'quickstart',
      userId: 'user',
      sessionId: 'first',
      autoCreateSession: true,
      newMessage: { role: 'user', parts: [{ text: 'What is the weather and the time in Paris?' }] },
    }),
  });
  const answer = await response.text();
  if (!response.ok || !answer.includes('functionResponse')) throw new Error(`no answer: ${answer}`);
}

function residentMegabytes(dataDir: string): Record<string, number> {
  // The stack's own address book.
  const { processes } = JSON.parse(readFileSync(path.join(dataDir, 'stack.json'), 'utf8')) as {
    processes: { name: string; pid: number }[];
  };
  return Object.fromEntries(
    processes.map(({ name, pid }) => [`rssMegabytes ${name}`, round(residentKibibytes(pid) / 1024)]),
  );
}
