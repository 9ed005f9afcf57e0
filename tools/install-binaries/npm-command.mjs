import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * How to run npm: the one that runs us, else the one beside this Node, else whatever PATH has.
 * Run by its script and this Node, npm needs neither a shell nor a matching PATH.
 */
export function npmCommand(env, execPath) {
  const script = candidates(env, execPath).find((file) => existsSync(file));
  return script === undefined ? { command: 'npm', args: [] } : { command: execPath, args: [script] };
}

function candidates(env, execPath) {
  const running = env.npm_execpath ?? '';
  const bin = path.dirname(execPath);
  return [
    // npx and other package managers set npm_execpath too: only npm's own script, or its neighbour, will do.
    ...(running.includes(`${path.sep}npm${path.sep}`)
      ? [path.join(path.dirname(running), 'npm-cli.js')]
      : []),
    path.join(bin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(bin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
}
