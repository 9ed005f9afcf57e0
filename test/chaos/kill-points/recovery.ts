import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { waitUntil } from '../../support/wait-until';
import { Fleet } from '../support/fleet';
import { type Effect } from './agents/_shared/note-effect';
import { checkEffects } from './check-effects';
import { checkLog, type Problem } from './check-log';
import { JsonLines } from './json-lines';
import { percentile } from './percentile';
import { playSession } from './play-session';
import { slow } from './scenarios';
import { readRecord } from './session-record';
import { noteStoredTimes, readStoredTimes } from './stored-times';

export interface Recovery {
  readonly killP99Ms: number;
  readonly sigtermP99Ms: number;
  readonly killMs: readonly number[];
  readonly sigtermMs: readonly number[];
  readonly problems: readonly Problem[];
}

type Signal = 'SIGKILL' | 'SIGTERM';

const SAMPLES = 30;
/** Sessions in mid-turn on three runners; those of the one that ends are the samples of a round. */
const SESSIONS_AT_ONCE = 24;
const DEADLINE_MS = 120_000;
const POLL_MS = 20;

/**
 * How long a run stands still when its runner ends in mid-turn, with the settings as they are shipped: from the signal
 * until another runner has claimed it, as Postgres says. What was stored must not be asked or run again.
 */
export async function measureRecovery(say: (line: string) => void): Promise<Recovery> {
  const fleet = await Fleet.start({
    agentsDir: path.join(__dirname, 'agents'),
    runners: 3,
    toolWorkers: 2,
    sessionServices: 2,
  });
  const pool = new Pool({ connectionString: fleet.databaseUrl, max: 4 });
  try {
    await noteStoredTimes(pool);
    const recovery = new RecoveryRun(fleet, pool);
    const killMs = await recovery.sample('SIGKILL', say);
    const sigtermMs = await recovery.sample('SIGTERM', say);
    return {
      killP99Ms: Math.round(percentile(killMs, 99) ?? NaN),
      sigtermP99Ms: Math.round(percentile(sigtermMs, 99) ?? NaN),
      killMs,
      sigtermMs,
      problems: await recovery.judge(),
    };
  } finally {
    await pool.end();
    await fleet.stop();
  }
}

class RecoveryRun {
  readonly #effects: JsonLines<Effect>;
  readonly #noted: Effect[] = [];
  readonly #played: Awaited<ReturnType<typeof playSession>>[] = [];

  constructor(
    private readonly fleet: Fleet,
    private readonly pool: Pool,
  ) {
    this.#effects = new JsonLines(fleet.effectsFile);
  }

  async sample(signal: Signal, say: (line: string) => void): Promise<number[]> {
    const samples: number[] = [];
    for (let round = 1; samples.length < SAMPLES; round++) {
      samples.push(...(await this.#round(signal, round)));
      say(`${signal}: ${samples.length} of ${SAMPLES} samples: ${samples.map(Math.round).join(' ')} ms`);
    }
    return samples.slice(0, SAMPLES);
  }

  async judge(): Promise<Problem[]> {
    const records = await Promise.all(
      this.#played.map(async (session) => {
        return { sessionId: session.sessionId, record: await readRecord(this.pool, session) };
      }),
    );
    this.#noted.push(...this.#effects.newLines());
    const logs = records.flatMap(({ sessionId, record }) => checkLog(sessionId, record));
    return [...logs, ...checkEffects(this.#noted, records, await readStoredTimes(this.pool), new Set())];
  }

  /** Starts sessions, ends the runner of one while all wait for their second tool, and waits for every end. */
  async #round(signal: Signal, round: number): Promise<number[]> {
    const ids = Array.from({ length: SESSIONS_AT_ONCE }, (_, index) => `${signal}-${round}-${index}`);
    const options = { url: () => this.fleet.url, deadlineMs: DEADLINE_MS };
    const ends = Promise.all(ids.map((id) => playSession(slow, id, options)));
    // Watched at once: it must not be unhandled while the round is set up.
    ends.catch(() => undefined);
    await waitUntil('each session to run its second tool', () => this.#haveBegun(ids, 'second'), DEADLINE_MS);
    const owners = await this.#owners(ids);
    const [owner = ''] = [...owners.values()];
    const victim = this.fleet.byOwner(owner);
    const own = new Map([...owners].filter(([, one]) => one === owner));
    const begun = performance.now();
    const oldPid = victim.pid;
    victim.signal(signal);
    const samples = await this.#takenOver(own, begun);
    this.#played.push(...(await ends));
    await victim.untilRestarted(oldPid);
    return samples;
  }

  #haveBegun(ids: readonly string[], tool: string): boolean {
    this.#noted.push(...this.#effects.newLines());
    const begun = this.#noted.filter((effect) => effect.phase === 'begin' && effect.tool === tool);
    const sessions = new Set(begun.map(({ sessionId }) => sessionId));
    return ids.every((id) => sessions.has(id));
  }

  /** Which runner has a session, of those that run. */
  async #owners(ids: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await this.pool.query<{ session_id: string; owner: string }>(
      `SELECT session_id, owner FROM adk_invocations
        WHERE session_id = ANY($1) AND status = 'running' AND owner IS NOT NULL`,
      [ids],
    );
    return new Map(rows.map(({ session_id: id, owner }) => [id, owner]));
  }

  async #takenOver(own: ReadonlyMap<string, string>, begun: number): Promise<number[]> {
    const open = new Map(own);
    const samples: number[] = [];
    while (open.size > 0) {
      if (performance.now() - begun > DEADLINE_MS) throw new Error(`${open.size} runs were not taken over`);
      const owners = await this.#owners([...open.keys()]);
      const now = performance.now() - begun;
      for (const [id, owner] of owners) {
        if (owner === open.get(id)) continue;
        open.delete(id);
        samples.push(now);
      }
      await pause(POLL_MS);
    }
    return samples;
  }
}
