import { writeFileSync } from 'node:fs';
import { createReport, type Report } from '../../../bench/report';
import { type DisconnectFigures } from '../support/disconnects';
import { type ProblemKind } from './check-log';
import { type MassKillResult } from './mass-kill';
import { type ChaosOptions } from './options';
import { type Recovery } from './recovery';

/** The 99th percentiles a recovery may take: another owner after a kill, after a SIGTERM. */
const KILL_BOUND_MS = 20_000;
const SIGTERM_BOUND_MS = 1_000;

interface Measured {
  readonly options: ChaosOptions;
  readonly minutes: number;
  readonly killed: MassKillResult;
  readonly recovery: Recovery | undefined;
  readonly cut: DisconnectFigures | undefined;
}

/** As names.md fixes it: the counts at the top, everything countable below `figures`. */
export interface ChaosReport extends Report {
  readonly seed: number;
  readonly kills: number;
  readonly lost: number;
  readonly appliedTwice: number;
  readonly divergent: number;
  readonly byPoint: Readonly<Record<string, number>>;
  readonly recovery: { readonly killP99Ms?: number; readonly sigtermP99Ms?: number };
  /** Points that were passed, and nobody was killed at. */
  readonly notHit: readonly string[];
  /** What did not hold, a sentence each. */
  readonly failures: readonly string[];
}

export function reportOf({ options, minutes, killed, recovery, cut }: Measured): ChaosReport {
  const problems = [...killed.problems, ...(recovery?.problems ?? [])];
  const count = (...kinds: ProblemKind[]): number =>
    problems.filter(({ kind }) => kinds.includes(kind)).length;
  const { killP99Ms, sigtermP99Ms } = recovery ?? {};
  const counts = {
    kills: killed.kills,
    lost: count('lost'),
    appliedTwice: count('appliedTwice', 'ranAgain'),
    divergent: count('divergent', 'askedAgain'),
  };
  const base = createReport('chaos', {
    ...killed.versions,
    figures: {
      ...counts,
      minutes: Math.round(minutes * 10) / 10,
      sessions: killed.sessions,
      modelRequests: killed.modelRequests,
      unknownOutcomes: killed.unknownOutcomes,
      points: killed.points,
      reached: killed.reached.length,
      pointsHit: killed.reached.length - killed.notHit.length,
      askedAgain: count('askedAgain'),
      ranAgain: count('ranAgain'),
      ...(recovery && { killP99Ms: recovery.killP99Ms, sigtermP99Ms: recovery.sigtermP99Ms }),
      ...(cut && { disconnects: cut.disconnects, missing: cut.missing, repeated: cut.repeated }),
    },
  });
  const failures = [
    ...problems.map(({ kind, sessionId, what }) => `${kind}: ${sessionId}: ${what}`),
    ...(killed.kills < options.kills ? [`${killed.kills} kills instead of ${options.kills}`] : []),
    ...(cut?.broken ?? []).map((turn) => `disconnects: ${turn}`),
    ...tooLate('another runner after kill -9', killP99Ms, KILL_BOUND_MS),
    ...tooLate('another runner after SIGTERM', sigtermP99Ms, SIGTERM_BOUND_MS),
  ];
  return {
    ...base,
    suite: 'chaos',
    seed: options.seed,
    ...counts,
    byPoint: killed.byPoint,
    recovery: {
      ...(killP99Ms !== undefined && { killP99Ms }),
      ...(sigtermP99Ms !== undefined && { sigtermP99Ms }),
    },
    notHit: killed.notHit,
    failures,
  };
}

export function writeChaosReport(file: string, report: ChaosReport): void {
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

/** What a reader of the log wants to know last; the line of counts is what `.ci/run` reads. */
export function summaryOf(report: ChaosReport): readonly string[] {
  const { kills, lost, appliedTwice, divergent, figures, recovery, failures, seed } = report;
  return [
    ...failures.map((failure) => `FAILED ${failure}`),
    `seed ${seed}: ${kills} kills at ${figures.pointsHit} of ${figures.reached} points that were passed (${figures.points} in all), ` +
      `${figures.sessions} sessions, ${figures.minutes} minutes`,
    `lost ${lost}, applied twice ${appliedTwice}, divergent ${divergent}; calls whose outcome is unknown: ${figures.unknownOutcomes}`,
    ...(recovery.killP99Ms === undefined
      ? []
      : [
          `recovery p99 of 30: ${recovery.killP99Ms} ms after kill -9, ${recovery.sigtermP99Ms} ms after SIGTERM`,
        ]),
    ...(figures.disconnects === undefined
      ? []
      : [`disconnects ${figures.disconnects}: missing ${figures.missing}, repeated ${figures.repeated}`]),
  ];
}

function tooLate(what: string, measuredMs: number | undefined, boundMs: number): string[] {
  if (measuredMs === undefined || measuredMs <= boundMs) return [];
  return [`${what}: p99 ${measuredMs} ms, above ${boundMs} ms`];
}
