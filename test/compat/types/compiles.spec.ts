import { execFileSync } from 'node:child_process';
import path from 'node:path';

const compat = path.resolve(__dirname, '..');

/** @returns what the compiler says of everything that a config includes; empty where all of it is right. */
function complaints(config: string): string {
  const tsc = require.resolve('typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', path.join(compat, config), '--noEmit', '--pretty', 'false'], {
      encoding: 'utf8',
    });
    return '';
  } catch (failed) {
    return String((failed as { readonly stdout?: string }).stdout ?? failed);
  }
}

describe('what is written for @google/adk', () => {
  it('compiles', () => {
    expect(complaints('tsconfig.json')).toBe('');
  }, 120_000);

  it('compiles as it is with @skein/adk in the place of @google/adk', () => {
    expect(complaints('tsconfig.skein.json')).toBe('');
  }, 120_000);
});
