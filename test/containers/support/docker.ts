import { execFile } from 'node:child_process';
import path from 'node:path';

/** This repository: where an image is built, and where the compose file lies. */
export const repository = path.join(__dirname, '..', '..', '..');

interface DockerOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly deadlineMs?: number;
}

/** Runs `docker …` and answers what it wrote; throws the end of all it said when it fails. */
export function docker(
  args: readonly string[],
  { env = {}, deadlineMs = 60_000 }: DockerOptions = {},
): Promise<string> {
  const options = {
    cwd: repository,
    env: { ...process.env, ...env },
    timeout: deadlineMs,
    maxBuffer: 64 * 1024 * 1024,
  };
  return new Promise((resolve, reject) => {
    execFile('docker', [...args], options, (error, stdout, stderr) => {
      if (!error) resolve(stdout.trim());
      else
        reject(new Error(`docker ${args.join(' ')}: ${`${stdout}${stderr}`.slice(-3_000) || error.message}`));
    });
  });
}
