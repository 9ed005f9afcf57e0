import { setTimeout as pause } from 'node:timers/promises';
import { type Asked, type GatewayClient } from '../../gateway-client';

/** Lines of turns beside each other; each takes one about every second. */
const LINES = 4;
const TURN_EVERY_MS = 1_000;
const TURNS_PER_SESSION = 30;

const SAID: readonly Omit<Asked, 'sessionId'>[] = [
  { text: 'What is 1 + 2?' },
  { text: 'Call io 4 times.' },
  { text: 'What is 1 + 2?' },
  { appName: 'ticker', text: 'Stream 25 tokens, one in 20 ms.' },
];

export interface SteadyLoad {
  /** Rejects when a turn failed before the other promise settles. */
  failsOr<T>(other: Promise<T>): Promise<T>;
  /** Lets the turns under way end. @returns how many there were. */
  stop(): Promise<number>;
}

/** A few turns a second, until it is stopped; every line begins another session now and then. */
export function startLoad(client: GatewayClient): SteadyLoad {
  let isStopped = false;
  let turns = 0;
  const line = async (which: number): Promise<void> => {
    for (let turn = 0; !isStopped; turn++) {
      const dueAtMs = performance.now() + TURN_EVERY_MS;
      const said = SAID[turn % SAID.length] ?? { text: 'What is 1 + 2?' };
      const sessionId = `${said.appName ?? 'bench'}-${which}-${Math.floor(turn / TURNS_PER_SESSION)}`;
      await client.shown({ ...said, sessionId }, { streaming: true });
      turns++;
      await pause(Math.max(0, dueAtMs - performance.now()));
    }
  };
  const lines = Promise.all(Array.from({ length: LINES }, (_none, which) => line(which)));
  // Until it is stopped it settles only by failing, and whoever asks hears of it.
  lines.catch(() => undefined);
  return {
    failsOr: (other) => Promise.race([other, lines.then(() => other)]),
    async stop() {
      isStopped = true;
      await lines;
      return turns;
    },
  };
}
