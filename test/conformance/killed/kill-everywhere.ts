import { isDeepStrictEqual } from 'node:util';
import { type RecordingJournal } from '@skein/testing';
import { type ConformanceCase } from '../case';
import { type Played } from '../played';
import { play } from '../play';
import { sideBySide } from '../side-by-side';
import { compileApp, type FreshApp } from './fresh-app';
import { type Kill, KillableStage, type RunTurn } from './killable-stage';
import { withinDeadline } from './within-deadline';

export interface KilledEverywhere {
  readonly kills: number;
  /** What a run that was killed did otherwise than the one that was not; a line for each. */
  readonly differences: readonly string[];
}

interface Run {
  readonly played: Played;
  readonly turns: readonly RunTurn[];
}

/** Of a turn of hundreds of pieces. */
const MOST_KILLS_OF_A_TURN = 40;
/** Side by side for those that wait for timers; each other one is work for the processor alone, and holds timers up. */
const AT_ONCE = 8;

/** Plays a case without a kill, then once for each place where its process may be killed. */
export async function killEverywhere(one: ConformanceCase): Promise<KilledEverywhere> {
  const start = compileApp(one.name, one.source);
  const whole = await withinDeadline(playKilled(one, start));
  const kills = whole.turns.flatMap(({ journal }, turn) =>
    placesIn(journal).map((units): Kill => ({ turn, units })),
  );
  const results = await sideBySide(kills, AT_ONCE, async (kill) =>
    differencesOf(whole, await withinDeadline(playKilled(one, start, kill)), kill),
  );
  const differences = results.flatMap((result, index) => {
    const { turn, units } = kills[index] ?? { turn: -1, units: -1 };
    const found = result.status === 'fulfilled' ? result.value : [`failed: ${String(result.reason)}`];
    return found.map((difference) => `killed in turn ${turn} after ${units} pieces: ${difference}`);
  });
  return { kills: kills.length, differences };
}

async function playKilled(one: ConformanceCase, start: () => FreshApp, kill?: Kill): Promise<Run> {
  const stage = new KillableStage(start, one.name, kill);
  const played = await play(one, stage);
  return { played, turns: stage.turns };
}

function placesIn(journal: RecordingJournal): number[] {
  const all = Array.from({ length: journal.units.length + 1 }, (_none, index) => index);
  const step = Math.ceil(all.length / MOST_KILLS_OF_A_TURN);
  return all.filter((index) => index % step === 0 || index === journal.units.length);
}

function differencesOf(whole: Run, killed: Run, { turn }: Kill): string[] {
  const [was, is] = [whole.turns[turn], killed.turns[turn]];
  if (!was || !is) return ['the turn was not run'];
  // A call whose model failed has an end that is stored, and no answer.
  const ended = is.survived.storedRecords('failure').length;
  const missing = was.before.asked.length - answersIn(is.survived, was.before.asked.length);
  return [
    isDeepStrictEqual(killed.played, whole.played) ? '' : 'what is shown or stored differs',
    isDeepStrictEqual(asksOf(is), asksOf(was)) ? '' : 'a model was asked something else',
    missing - ended <= is.after.asked.length && is.after.asked.length <= missing
      ? ''
      : `${is.after.asked.length} requests for ${missing} missing answers`,
    hasFailed(is.survived) || is.logged.join() === idsOf(is.journal).join()
      ? ''
      : 'events were gone through in another order',
    ranAgain(is).length === 0 ? '' : 'a tool whose result is stored ran again',
  ].filter(Boolean);
}

function idsOf({ staged }: RecordingJournal): string[] {
  return staged.map(({ event }) => event.id);
}

/** Each request once: the killed process may have asked what the next one asked again. */
function asksOf({ before, after }: RunTurn): string[] {
  return [...new Set([...before.asked, ...after.asked].map((asked) => JSON.stringify(asked)))].sort();
}

/** Model calls whose end is stored; none where the models are not scripted, and log nothing. */
function answersIn({ units, storedSteps }: RecordingJournal, asked: number): number {
  if (asked === 0) return 0;
  const keys = units.flat().flatMap((piece) => {
    if ('event' in piece) return piece.event.customMetadata?.['skein.skippedModel'] ? [] : [piece.stepKey];
    return piece.kind === 'empty' || piece.kind === 'child' || piece.kind === 'failure'
      ? [piece.stepKey]
      : [];
  });
  if (hasFailed({ storedSteps })) return asked;
  return new Set(keys.filter((key) => /\/model\.\d+$/.test(key))).size;
}

/** A run whose failure is stored is not gone through again. */
function hasFailed({ storedSteps }: Pick<RecordingJournal, 'storedSteps'>): boolean {
  return storedSteps.some((stepKey) => /^\d+\/error\.0$/.test(stepKey));
}

function ranAgain({ survived, after }: RunTurn): string[] {
  const applied = survived.staged.flatMap(({ appliedCalls = [] }) => appliedCalls);
  return after.ran.filter((dispatchId) => applied.includes(dispatchId));
}
