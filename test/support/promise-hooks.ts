import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type StackProcess } from '@skein/stack';
import { waitUntil } from './wait-until';

/** What a process tells of itself: a promise hook leaves its ids on each promise that is made. */
interface Told {
  readonly pid: number;
  readonly isHooked: boolean;
  /** Where the process began to follow something through its promises. */
  readonly since: readonly string[];
}

const SIGNAL = 'SIGUSR2';

const PROBE = `
const hooks = require('node:async_hooks');
const { appendFileSync } = require('node:fs');
const since = [];
for (const name of ['run', 'enterWith']) {
  const really = hooks.AsyncLocalStorage.prototype[name];
  hooks.AsyncLocalStorage.prototype[name] = function (...given) {
    since.push(new Error(name).stack);
    return really.apply(this, given);
  };
}
process.on('${SIGNAL}', () => {
  const isHooked = Object.getOwnPropertySymbols(Promise.resolve()).length > 0;
  const line = JSON.stringify({ pid: process.pid, isHooked, since: since.slice(0, 1) });
  appendFileSync(__filename + '.told', line + '\\n');
});
`;

/** Asks processes whether promises are followed in them. They have to be started with `env`. */
export class PromiseHooks {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = path.join(folder, 'probe.cjs');
    writeFileSync(this.#file, PROBE);
  }

  get env(): NodeJS.ProcessEnv {
    return { NODE_OPTIONS: `--require ${this.#file}` };
  }

  async ask({ pid }: StackProcess): Promise<Told> {
    const before = this.#told().length;
    process.kill(pid, SIGNAL);
    return waitUntil(`the word of ${pid}`, () =>
      this.#told()
        .slice(before)
        .find((told) => told.pid === pid),
    );
  }

  #told(): Told[] {
    const file = `${this.#file}.told`;
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    // What follows the last line break is still being written.
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Told); // Written by the probe above.
  }
}
