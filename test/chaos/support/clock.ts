import path from 'node:path';
import { type FleetProcess } from './fleet-process';

/** For the environment of a process whose wall clock a test sets. */
export function clockEnvironment(offsetMs = 0): NodeJS.ProcessEnv {
  return {
    NODE_OPTIONS: `--require=${path.join(__dirname, 'clock-offset.cjs')}`,
    CLOCK_OFFSET_MS: String(offsetMs),
  };
}

/** Sets the wall clock of a process that began with `clockEnvironment`; the time of its messages is the proof. */
export function setClock(process: FleetProcess, offsetMs: number): void {
  process.send({ type: 'clock', offsetMs });
}
