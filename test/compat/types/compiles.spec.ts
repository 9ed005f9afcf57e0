import { execFileSync } from 'node:child_process';
import path from 'node:path';

const compat = path.resolve(__dirname, '..');

/** @returns what the compiler says of everything below test/compat; empty where all of it is right. */
function complaints(): string {
  const tsc = require.resolve('typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', compat, '--noEmit', '--pretty', 'false'], {
      encoding: 'utf8',
    });
    return '';
  } catch (failed) {
    return String((failed as { readonly stdout?: string }).stdout ?? failed);
  }
}

describe('what is written for @google/adk', () => {
  it('compiles', () => {
    expect(complaints()).toBe('');
  }, 120_000);
});
