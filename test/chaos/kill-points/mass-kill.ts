import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Pool } from 'pg';
import { type ServerVersions, versionsOf } from '../../../bench/server-versions';
import { pointsOfSources } from '../../../tools/kill-points/src/points-of-sources';
import { waitUntil } from '../../support/wait-until';
import { Fleet } from '../support/fleet';
import { Random } from '../support/random';
import { type Effect } from './agents/_shared/note-effect';
import { aimedFaults } from './aimed-faults';
import { checkEffects } from './check-effects';
import { checkLog, type Problem } from './check-log';
import { difference } from './difference';
import { type AskedWith, askedWith, checkRequests, type ModelRequest } from './check-requests';
import { JsonLines } from './json-lines';
import { Killer } from './killer';
import { type ChaosOptions } from './options';
import { type PlayedSession, playSession } from './play-session';
import { type Scenario, scenarios, slow } from './scenarios';
import { comparable, readRecord, type SessionRecord, unknownOutcomes } from './session-record';
import { noteStoredTimes, readStoredTimes } from './stored-times';
import { Targets } from './targets';

/** Scaled down from 15 s, 2 s and 30 s: they are how long a kill holds its sessions up. */
export const SCALED = { LEASE_MS: '2000', SWEEP_MS: '300', ACK_WAIT_MS: '2000' } as const;

const INPUT_DEADLINE_MS = 90_000;
const SETTLE_MS = 30_000;

export interface MassKillResult {
  readonly kills: number;
  readonly byPoint: Readonly<Record<string, number>>;
  readonly sessions: number;
  readonly modelRequests: number;
  readonly unknownOutcomes: number;
  readonly reached: readonly string[];
  readonly notHit: readonly string[];
  readonly problems: readonly Problem[];
  /** How many the build has. */
  readonly points: number;
  readonly versions: ServerVersions;
}

/** Kills processes of a fleet under load, then compares every session with its scenario's run before the first kill. */
export async function massKill(options: ChaosOptions, say: (line: string) => void): Promise<MassKillResult> {
  const run = await MassKill.start(options, say);
  try {
    return await run.result();
  } finally {
    await run.end();
  }
}

interface Oracle {
  readonly log: readonly string[];
  readonly asked: AskedWith;
}

class MassKill {
  readonly #played: PlayedSession[] = [];
  readonly #problems: Problem[] = [];
  readonly #oracles = new Map<string, Oracle>();
  /** Which fault was put into a session, by its id. */
  readonly #aimedAt = new Map<string, string>();
  readonly #pool: Pool;
  #count = 0;

  private constructor(
    private readonly options: ChaosOptions,
    private readonly say: (line: string) => void,
    private readonly fleet: Fleet,
    private readonly killer: Killer,
    private readonly targets: Targets,
  ) {
    this.#pool = new Pool({ connectionString: fleet.databaseUrl, max: 4 });
  }

  static async start(options: ChaosOptions, say: (line: string) => void): Promise<MassKill> {
    const random = new Random(options.seed);
    const targets = new Targets(random);
    const log = path.resolve(options.log ?? path.join('.skein', `kill-points-${process.pid}.jsonl`));
    mkdirSync(path.dirname(log), { recursive: true });
    const killer = new Killer(log, targets, random);
    const entry = (app: string): string => path.resolve(options.build, 'apps', app, 'src', 'main.js');
    const fleet = await Fleet.start({
      agentsDir: path.join(__dirname, 'agents'),
      runners: 3,
      toolWorkers: 2,
      sessionServices: 2,
      entries: {
        migrate: path.resolve(options.build, 'apps/session-svc/src/migrate.js'),
        runner: entry('runner'),
        'tool-worker': entry('tool-worker'),
        'session-svc': entry('session-svc'),
      },
      env: { ...SCALED, KILL_POINTS_LOG: log },
      // One has workers hold what leaves while it is stored, as `npm start` does, and one sends what is stored, as services do that
      // are told nothing.
      envOf: (name, app) => ({
        ...killer.startPoint(app),
        ...(name === 'session-svc-1' && { HOLD_CALLS: 'true' }),
      }),
    });
    say(`a fleet of ${fleet.processes.length} processes runs, with ${JSON.stringify(SCALED)}`);
    return new MassKill(options, say, fleet, killer, targets);
  }

  async result(): Promise<MassKillResult> {
    await noteStoredTimes(this.#pool);
    this.killer.watch(this.fleet);
    await this.#playOracles();
    if (this.options.isAimed) {
      await this.#aim();
      await this.#settle();
      const aimedAt = await this.#judge();
      // A build that fails where it was aimed at is known well enough.
      if (aimedAt.problems.length > 0) return aimedAt;
    }
    await this.#underLoad(() => this.#killAll());
    // What was cut off from its answer may still come.
    await this.#settle();
    return this.#judge();
  }

  async end(): Promise<void> {
    this.killer.stop();
    await this.#pool.end();
    await this.fleet.stop();
  }

  /** Twice each: a scenario that differs from itself would tell nothing. */
  async #playOracles(): Promise<void> {
    for (const scenario of [...scenarios, slow]) {
      const [one, other] = [await this.#oracle(scenario), await this.#oracle(scenario)];
      if (JSON.stringify(one.log) !== JSON.stringify(other.log))
        throw new Error(`${scenario.app} is not repeatable`);
      this.#oracles.set(scenario.app, one);
    }
    this.say(`${scenarios.length} scenarios were played without faults`);
  }

  async #oracle(scenario: Scenario): Promise<Oracle> {
    const session = await this.#play(scenario);
    const log = comparable(await readRecord(this.#pool, session), session);
    const requests = new JsonLines<ModelRequest>(this.fleet.modelLog).newLines();
    const own = requests.filter(({ sessionId }) => sessionId === session.sessionId);
    return { log, asked: askedWith(session, own) };
  }

  #play(scenario: Scenario, sessionId = this.#newId()): Promise<PlayedSession> {
    return playSession(scenario, sessionId, { url: () => this.fleet.url, deadlineMs: INPUT_DEADLINE_MS });
  }

  #newId(): string {
    this.#count += 1;
    return `kill-${this.#count}`;
  }

  /** One after the other, each on a session of its own. */
  async #aim(): Promise<void> {
    for (const { name, inject } of aimedFaults) {
      const sessionId = this.#newId();
      this.#aimedAt.set(sessionId, name);
      const played = this.#playAndNote(slow, sessionId);
      try {
        const pid = await inject(this.fleet, sessionId);
        this.killer.expected.add(pid);
      } catch (error) {
        this.#note({ kind: 'lost', sessionId, what: `${name}: ${String(error)}` });
      }
      await played;
      this.say(`aimed at: ${name}`);
    }
  }

  async #settle(): Promise<void> {
    const isStill = async (): Promise<boolean> => {
      const { rowCount } = await this.#pool.query(
        `SELECT FROM adk_invocations WHERE status IN ('queued', 'running') LIMIT 1`,
      );
      return rowCount === 0;
    };
    // Whatever is not over by then is told by the log of its session.
    await waitUntil('every invocation to end', isStill, SETTLE_MS).catch(() => undefined);
  }

  /** Keeps so many sessions going until the work is done, then lets them come to their end. */
  async #underLoad(work: () => Promise<void>): Promise<void> {
    let isOver = false;
    const players = Array.from({ length: this.options.sessionsAtOnce }, async (_, index) => {
      for (let turn = index; !isOver; turn++) await this.#playAndNote(scenarios[turn % scenarios.length]);
    });
    try {
      await work();
    } finally {
      isOver = true;
      await Promise.all(players);
    }
  }

  async #playAndNote(scenario: Scenario | undefined, sessionId = this.#newId()): Promise<void> {
    if (!scenario) return;
    try {
      this.#played.push(await this.#play(scenario, sessionId));
    } catch (error) {
      this.#note({ kind: 'lost', sessionId, what: `${scenario.app}: ${String(error)}` });
    }
  }

  async #killAll(): Promise<void> {
    const { kills, pauseMs, deadlineMinutes } = this.options;
    const begun = performance.now();
    await this.killer.endOneOfEach(this.fleet);
    const progress = setInterval(() => {
      this.killer.collect();
      const { reached, notHit } = this.targets.coverage;
      const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
      this.say(
        `${minutes} min: ${this.killer.kills.length} kills at ${reached.length - notHit.length} of ${reached.length} points, ${this.#played.length} sessions`,
      );
    }, 15_000);
    await this.killer.kill(this.fleet, kills, pauseMs, begun + deadlineMinutes * 60_000);
    clearInterval(progress);
  }

  #note({ kind, sessionId, what }: Problem): void {
    const fault = this.#aimedAt.get(sessionId);
    const problem = { kind, sessionId, what: fault === undefined ? what : `(${fault}) ${what}` };
    this.#problems.push(problem);
    this.say(`${kind}: ${sessionId}: ${problem.what}`);
  }

  async #judge(): Promise<MassKillResult> {
    const records: { session: PlayedSession; sessionId: string; record: SessionRecord }[] = [];
    for (const session of this.#played) {
      records.push({ session, sessionId: session.sessionId, record: await readRecord(this.#pool, session) });
    }
    const effects = new JsonLines<Effect>(this.fleet.effectsFile).newLines();
    const requests = new JsonLines<ModelRequest>(this.fleet.modelLog).newLines();
    const inLogs = records.flatMap(({ sessionId, session, record }) => [
      ...checkLog(sessionId, record),
      ...this.#differences(session, record),
    ]);
    // Another log means other requests behind it: that would be said twice.
    const isSame = ({ sessionId }: PlayedSession): boolean =>
      !inLogs.some((one) => one.sessionId === sessionId);
    const problems = [
      ...inLogs,
      ...checkRequests(
        this.#played.filter(isSame),
        requests,
        (app) => this.#oracles.get(app)?.asked ?? new Map(),
      ),
      ...checkEffects(effects, records, await readStoredTimes(this.#pool), this.killer.gone),
    ];
    for (const problem of problems) this.#note(problem);
    return {
      kills: this.killer.kills.length,
      byPoint: this.targets.byPoint,
      sessions: records.length,
      modelRequests: requests.length,
      unknownOutcomes: records.reduce((sum, { record }) => sum + unknownOutcomes(record), 0),
      ...this.targets.coverage,
      problems: this.#problems,
      points: pointsOfSources(path.resolve('.')).reduce((sum, { points }) => sum + points.length, 0),
      versions: await versionsOf(this.fleet.databaseUrl, this.fleet.natsUrl),
    };
  }

  #differences(session: PlayedSession, record: SessionRecord): Problem[] {
    const expected = this.#oracles.get(session.app)?.log ?? [];
    const found = comparable(record, session);
    const at = expected.findIndex((line, index) => line !== found[index]);
    if (at < 0 && expected.length === found.length) return [];
    const what = `${session.app}, line ${at}: ${difference(found[at], expected[at])}`;
    return [{ kind: 'divergent', sessionId: session.sessionId, what }];
  }
}
