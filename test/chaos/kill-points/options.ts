import { parseArgs } from 'node:util';
import { randomSeed } from '../support/random';

export interface ChaosOptions {
  readonly kills: number;
  /** Faults at chosen moments before the kills. */
  readonly isAimed: boolean;
  /** Whether recovery is measured too, with the settings as they are shipped. */
  readonly isRecoveryMeasured: boolean;
  /** How many connections of clients are cut, by the way; 0 leaves it out. */
  readonly disconnects: number;
  readonly seed: number;
  readonly json: string | undefined;
  /** The instrumented build. */
  readonly build: string;
  readonly sessionsAtOnce: number;
  readonly pauseMs: number;
  readonly deadlineMinutes: number;
  readonly log: string | undefined;
}

/** `npm run chaos -- [--kills N] [--seed S] [--json FILE]` and what is useful at one's own machine. */
export function readOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      kills: { type: 'string', default: '2000' },
      seed: { type: 'string', default: String(randomSeed()) },
      json: { type: 'string' },
      aimed: { type: 'boolean', default: true },
      recovery: { type: 'boolean', default: true },
      disconnects: { type: 'string', default: '1000' },
      build: { type: 'string', default: 'dist-kill-points' },
      // More of them leave no CPU for processes that come back.
      sessions: { type: 'string', default: '6' },
      'pause-ms': { type: 'string', default: '600' },
      // Recovery and disconnects come after it: about five minutes.
      'deadline-minutes': { type: 'string', default: '54' },
      log: { type: 'string' },
    },
  });
  return {
    kills: wholeNumber('kills', values.kills),
    seed: wholeNumber('seed', values.seed),
    isAimed: values.aimed,
    isRecoveryMeasured: values.recovery,
    disconnects: wholeNumber('disconnects', values.disconnects),
    json: values.json,
    build: values.build,
    sessionsAtOnce: wholeNumber('sessions', values.sessions),
    pauseMs: wholeNumber('pause-ms', values['pause-ms']),
    deadlineMinutes: wholeNumber('deadline-minutes', values['deadline-minutes']),
    log: values.log,
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} has to be a whole number, not "${text}"`);
  return Number(text);
}
