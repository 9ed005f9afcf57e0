import { type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type LastLine,
  type PassReport,
  type SwitchCommand,
} from '../../../tools/kill-points/src/kill-switch';
import { KILLED_APPS } from '../../../tools/kill-points/src/reachable-files';
import { type Fleet } from '../support/fleet';
import { type FleetProcess } from '../support/fleet-process';
import { type Random } from '../support/random';
import { JsonLines } from './json-lines';
import { type Target, type Targets } from './targets';

/** How long a process is left armed for a point it does not pass. */
const ARMED_MS = 2_000;
/** A SIGTERM is answered after the work in hand. */
const ENDING_MS = 8_000;
const REPORT_MS = 1_000;
const POLL_MS = 20;
/** The share of kills that may leave no other process of the app at work. */
const LAST_ONE_TOO = 0.1;
/** The share of starts that are killed on their way up, where no such point is left open. */
const RANDOM_START = 0.05;
/** The share of kills that fall on a process that was asked to end. */
const RANDOM_END = 0.04;

export interface Kill {
  readonly pid: number;
  readonly at: number;
  readonly point: string;
}

/** Kills processes of a fleet at points, one of each app at a time, and notes where they died. */
export class Killer {
  readonly kills: Kill[] = [];
  /** Ended by itself, after a SIGTERM. */
  readonly ended = new Set<number>();
  /** Ended by whoever uses the killer beside it. */
  readonly expected = new Set<number>();
  isArmed = false;
  #victims: readonly FleetProcess[] = [];
  readonly #lines: JsonLines<LastLine>;
  readonly #atStart = new Map<number, Readonly<Record<string, number>>>();
  readonly #apps = new Map<number, string>();
  readonly #stopping = new AbortController();

  constructor(
    log: string,
    private readonly targets: Targets,
    private readonly random: Random,
  ) {
    this.#lines = new JsonLines(log);
  }

  /** Every process that died or ended, by pid. */
  get gone(): ReadonlySet<number> {
    return new Set([...this.ended, ...this.expected, ...this.kills.map(({ pid }) => pid)]);
  }

  /** KILL_POINT for a process that is about to start: the fleet asks for each start. */
  startPoint(app: string): NodeJS.ProcessEnv {
    const isNeeded = !this.#victims.some((one) => one.app === app && one.isRunning);
    if (!this.isArmed || isNeeded) return {};
    const isWanted = this.targets.hasOpen(app, 'start') ? 0.5 : RANDOM_START;
    const target = this.random.next() < isWanted ? this.targets.next(app, ['start']) : undefined;
    return target ? { KILL_POINT: `${target.point}*${target.passes}` } : {};
  }

  /** Listens to what the processes pass, in this life and all that follow. */
  watch(fleet: Fleet): void {
    this.#victims = victims(fleet);
    for (const one of this.#victims) {
      one.onStarted = ({ child }) => this.#listen(one, child);
      one.onMessage((message) => this.#take(one, one.pid, message));
    }
    void this.#askAgain(fleet);
  }

  /** Sends SIGTERM to one process of each app, so that the points on the way out are known. */
  async endOneOfEach(fleet: Fleet): Promise<void> {
    for (const app of KILLED_APPS) {
      const [one] = fleet.of(app);
      if (one) await one.untilRestarted(await one.kill('SIGTERM'));
    }
    this.collect();
  }

  /** Kills until so many were killed, or until the deadline. */
  async kill(fleet: Fleet, count: number, pauseMs: number, deadline: number): Promise<void> {
    const isOver = (): boolean => this.kills.length >= count || performance.now() > deadline;
    this.isArmed = true;
    await Promise.all(KILLED_APPS.map((app) => this.#killSome(fleet, app, pauseMs, isOver)));
    this.isArmed = false;
    for (const one of victims(fleet)) send(one, { type: 'kill-points.disarm' });
    this.collect();
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Takes in the last lines of the dead. */
  collect(): void {
    for (const line of this.#lines.newLines()) {
      const app = this.#apps.get(line.pid);
      if ('point' in line) {
        this.kills.push(line);
        this.targets.hit(line.point);
      } else {
        this.ended.add(line.pid);
        if (app !== undefined) this.targets.reached(app, line.passes, 'end');
      }
    }
  }

  async #killSome(fleet: Fleet, app: string, pauseMs: number, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await pause(pauseMs * (0.5 + this.random.next()));
      const running = victims(fleet).filter((one) => one.app === app && one.isRunning);
      const isEnough = running.length > 1 || this.random.next() < LAST_ONE_TOO;
      if (running.length === 0 || !isEnough) continue;
      const victim = this.random.pick(running);
      const isEnd = this.targets.hasOpen(app, 'end')
        ? this.random.next() < 0.3
        : this.random.next() < RANDOM_END;
      const target = this.targets.next(app, [isEnd ? 'end' : 'work']);
      if (target) await this.#shoot(victim, target);
      this.collect();
    }
  }

  async #shoot(victim: FleetProcess, { point, passes, phase }: Target): Promise<void> {
    const { pid } = victim;
    send(victim, { type: 'kill-points.arm', point, passes });
    if (phase === 'end') victim.signal('SIGTERM');
    const deadline = performance.now() + (phase === 'end' ? ENDING_MS : ARMED_MS);
    while (victim.isRunning && victim.pid === pid) {
      if (performance.now() > deadline) {
        send(victim, { type: 'kill-points.disarm' });
        return;
      }
      await pause(POLL_MS);
    }
  }

  #listen(one: FleetProcess, child: ChildProcess): void {
    const { pid } = child;
    if (pid === undefined) return;
    this.#apps.set(pid, one.app);
    child.on('message', (message) => this.#take(one, pid, message));
    child.send({ type: 'kill-points.report' } satisfies SwitchCommand, () => undefined);
  }

  #take(one: FleetProcess, pid: number, message: unknown): void {
    const { type, passes } = message as Partial<PassReport>;
    if (type !== 'kill-points.passes' || !passes) return;
    this.#apps.set(pid, one.app);
    const atStart = this.#atStart.get(pid);
    if (!atStart) {
      this.#atStart.set(pid, passes);
      this.targets.reached(one.app, passes, 'start');
      return;
    }
    const since = Object.entries(passes).map(
      ([point, count]) => [point, count - (atStart[point] ?? 0)] as const,
    );
    this.targets.reached(one.app, Object.fromEntries(since.filter(([, count]) => count > 0)), 'work');
  }

  async #askAgain(fleet: Fleet): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      for (const one of victims(fleet)) send(one, { type: 'kill-points.report' });
      await pause(REPORT_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function victims(fleet: Fleet): FleetProcess[] {
  return KILLED_APPS.flatMap((app) => fleet.of(app));
}

/** To whoever runs; one that died in this moment is restarted without it. */
function send(one: FleetProcess, command: SwitchCommand): void {
  try {
    if (one.isRunning) one.send(command);
  } catch {
    // Its channel closed in this moment.
  }
}
