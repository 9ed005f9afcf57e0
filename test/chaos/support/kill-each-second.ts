import { setTimeout as pause } from 'node:timers/promises';
import { type FleetProcess } from './fleet-process';

export interface Killing {
  readonly kills: number;
  readonly seconds: number;
  /** In which none ran that could be killed. */
  readonly spared: number;
}

const LOOK_MS = 20;

/**
 * Kills a process each second by the clock, until the load is done. It waits for nobody's successor: where none runs when
 * its second begins, the first that runs within it is killed.
 */
export async function killEachSecond(
  load: Promise<unknown>,
  choose: () => FleetProcess | undefined,
): Promise<Killing> {
  let isOver = false;
  const over = load.then(
    () => void (isOver = true),
    () => void (isOver = true), // Whoever awaits the load hears of it.
  );
  const begunMs = performance.now();
  let kills = 0;
  let spared = 0;
  for (;;) {
    await Promise.race([pause(LOOK_MS), over]);
    const seconds = (performance.now() - begunMs) / 1_000;
    if (isOver) return { kills, spared, seconds };
    const victim = seconds >= kills + spared + 1 ? choose() : undefined;
    if (victim) {
      await victim.kill();
      kills += 1;
    } else if (seconds >= kills + spared + 2) {
      spared += 1;
    }
  }
}
