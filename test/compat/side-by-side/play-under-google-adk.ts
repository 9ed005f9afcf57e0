import { fork } from 'node:child_process';
import { join } from 'node:path';
import { type Played } from './play';

/** Plays every case under @google/adk, in a process in which nothing stands in its place; by the name of the case. */
export async function playUnderGoogleAdk(): Promise<Readonly<Record<string, Played>>> {
  // Its logger writes to stdout.
  const child = fork(join(__dirname, 'under-google-adk.mjs'), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('message', (played: Record<string, Played>) => {
      // Made anew, for what another realm made is equal to nothing of this one.
      resolve(JSON.parse(JSON.stringify(played)) as Record<string, Played>);
    });
    child.on('error', reject);
    // Too late once there was a message.
    child.on('close', (code) => {
      reject(new Error(`@google/adk played nothing; exit code ${String(code)}:\n${said}`));
    });
  });
}
