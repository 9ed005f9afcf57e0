import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { builtEntries } from '@skein/stack';

describe('a bundled program', () => {
  const { migrate, ...services } = builtEntries();

  it('is what a stack starts', () => {
    for (const entry of Object.values(builtEntries())) expect(entry).toContain(path.join('dist', 'bundled'));
  });

  it.each([
    ['gateway', ['@opentelemetry/api', 'jiti']],
    ['runner', ['@opentelemetry/api', 'jiti']],
    ['tool-worker', ['@opentelemetry/api', 'jiti', 'piscina']],
    ['session-svc', ['@opentelemetry/api', 'pg']],
  ] as const)('%s reads no packages at its start but %j: all else is in its file', async (app, expected) => {
    const read = await packagesRead(services[app]);

    expect(read.filter((name) => !/^pg-|^postgres-|^pgpass$|^split2$|^xtend$/.test(name))).toEqual(expected);
  });

  it('tells lines of the sources to whoever asks for them', () => {
    const map = JSON.parse(readFileSync(`${migrate}.map`, 'utf8')) as { readonly sources: string[] };

    expect(map.sources.map((source) => path.resolve(path.dirname(migrate), source))).toContain(
      path.resolve(__dirname, '../../../apps/session-svc/src/migrate.ts'),
    );
  });
});

/** Of a start that ends at its configuration, when everything is loaded. */
async function packagesRead(program: string): Promise<string[]> {
  const child = fork(program, {
    env: { PATH: process.env.PATH, HEALTH_PORT: 'none' },
    execArgv: ['--require', path.join(__dirname, 'packages-read.cjs')],
    silent: true,
  });
  const ended = once(child, 'exit');
  let told: string[] = [];
  child.on('message', (message) => {
    if (Array.isArray(message)) told = message.map(String);
  });
  await ended;
  return told;
}
