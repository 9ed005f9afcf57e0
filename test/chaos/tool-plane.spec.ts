import { connect } from '@nats-io/transport-node';
import { parseNatsServers } from '@skein/messaging';
import { textOf } from '../support/client';
import { parseExposed } from '../support/metrics-page';
import { waitUntil } from '../support/wait-until';
import { type Effect, readEffects } from './support/effects';
import { Fleet } from './support/fleet';
import { type FleetProcess } from './support/fleet-process';
import { groupBy } from './support/group-by';
import { type Checked, checkInvariants } from './support/invariants';
import { killEachSecond } from './support/kill-each-second';
import { type Random } from './support/random';
import { row } from './support/row';
import {
  aSessionId,
  effectsOf,
  sameForm,
  say,
  untilEffect,
  untilWhole,
  withoutFault,
} from './support/scenes';
import { takeTurn, type Turn } from './support/turn';

// Scaled down from 15 s, 2 s and 30 s: they are the time until somebody notices a death.
const SCALED = { LEASE_MS: '1500', SWEEP_MS: '300', ACK_WAIT_MS: '1000' };
const SESSIONS = 20;
const TURNS = 5;
const CALLS_A_TURN = 10;
const ONCE_EVERY = 5;
const UNKNOWN = 'whether it took effect is not known';

describe('the tool plane, with four workers', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    // Sixteen calls at a time, so that a thousand of them take a while.
    fleet = await Fleet.start({ toolWorkers: 4, env: { ...SCALED, TOOL_CONCURRENCY: '4' } });
  }, 180_000);

  afterEach(async () => {
    if (fleet) await untilWhole(fleet);
  });

  afterAll(() => fleet?.stop(), 60_000);

  row(
    'row 9: of 1,000 calls, a worker killed every second, each is answered once, and `once` calls run at most once',
    async (random) => {
      const begunMs = performance.now();
      const duplicatesBefore = await resultsOf(fleet, 'duplicate');

      const load = converseInBulk(fleet, random);
      let chosen = 0;
      const killing = await killEachSecond(load, () => victimOf(fleet, random, chosen++));
      const turns = await load;

      const tookMs = Math.round(performance.now() - begunMs);
      const calls = answeredCalls(await checkInvariants(fleet, { turns, deadlineMs: 60_000 }), turns);
      const lost = calls.filter(({ isUnknown }) => isUnknown);
      const again = calls.filter(({ begun }) => begun > 1);
      const duplicates = (await resultsOf(fleet, 'duplicate')) - duplicatesBefore;
      console.info('a thousand calls', {
        tookMs,
        ...killing,
        runAgain: again.length,
        unknown: lost.length,
        duplicates,
      });
      expect(turns.filter(({ failure }) => failure !== undefined)).toEqual([]);
      expect(calls).toHaveLength(SESSIONS * TURNS * CALLS_A_TURN);
      expect(calls.filter(({ tool }) => tool === 'pay')).toHaveLength(calls.length / ONCE_EVERY);
      expect(calls.filter((call) => !isAsPromised(call))).toEqual([]);
      // In a second in which none of the four has started anew there is nobody to kill; there may be few of them.
      expect(killing.kills).toBeGreaterThanOrEqual(Math.floor(0.8 * killing.seconds));
      expect(killing.kills).toBeGreaterThanOrEqual(10);
      // The kills met calls of both kinds in the middle.
      expect(again.length).toBeGreaterThan(0);
      expect(lost.length).toBeGreaterThan(0);
    },
    340_000,
  );

  row(
    'row 10: of a worker that is blocked for longer than ack_wait the second result is ignored, and counted',
    async () => {
      const blockedMs = 2.5 * Number(SCALED.ACK_WAIT_MS);
      const before = await resultsOf(fleet, 'duplicate');
      const sessionId = aSessionId('row10');
      const runsOf = (phase: Effect['phase']): number => countOf(effectsOf(fleet, sessionId), phase);

      const turn = await say(fleet, sessionId, `block ${blockedMs}`);
      // Each run gives a result, and one of them is the call's.
      const duplicates = await waitUntil('each run but one to be counted', async () => {
        const counted = (await resultsOf(fleet, 'duplicate')) - before;
        return counted > 0 && counted === runsOf('begin') - 1 ? counted : undefined;
      });
      const { stored } = await checkInvariants(fleet);

      expect(turn.events.map(textOf).at(-1)).toBe(`block gave {"blocked":${blockedMs}}`);
      expect(runsOf('end')).toBe(duplicates + 1);
      expect(new Set(effectsOf(fleet, sessionId).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      expect(stored.calls.filter((call) => call.sessionId === sessionId)).toMatchObject([{ status: 'done' }]);
      console.info('a blocked loop', { runs: duplicates + 1, duplicates });
    },
    120_000,
  );

  row(
    'row 36: arguments, result and event above max_payload outlive the worker they are with',
    async () => {
      const length = 2 * (await maxPayloadOf(fleet));
      const expected = await withoutFault(fleet, `copy ${length} 10`, 'bulk');
      const sessionId = aSessionId('row36');

      const turn = say(fleet, sessionId, `copy ${length} 400`, 'bulk');
      const { pid } = await untilEffect(fleet, sessionId, 'begin');
      const worker = fleet.byOwner(pid);
      await worker.kill();
      const { events } = await turn;

      expect(textOf(events.at(-1))).toBe('x'.repeat(length));
      const stored = await sameForm(fleet, sessionId, 'bulk');
      const asWritten = JSON.stringify(stored).replaceAll(`copy ${length} 400`, `copy ${length} 10`);
      expect(JSON.parse(asWritten.replaceAll('"ms":400', '"ms":10'))).toEqual(expected);
      expect(effectsOf(fleet, sessionId).map(({ phase }) => phase)).toEqual(['begin', 'begin', 'end']);
      await checkInvariants(fleet);
    },
    120_000,
  );
});

/** Users whose models call many tools side by side, turn after turn. */
async function converseInBulk(fleet: Fleet, random: Random): Promise<Turn[]> {
  const plans = Array.from({ length: SESSIONS }, () =>
    Array.from({ length: TURNS }, () => `many ${CALLS_A_TURN} ${random.integer(50, 250)}`),
  );
  const sessions = plans.map(async (messages) => {
    const sessionId = aSessionId('bulk');
    const turns: Turn[] = [];
    for (const message of messages) {
      const request = { app: 'bulk', user: sessionId, sessionId, message, stream: true };
      turns.push(await takeTurn({ url: () => fleet.url, deadlineMs: 280_000, ...request }));
    }
    return turns;
  });
  return (await Promise.all(sessions)).flat();
}

/** One that runs; every other time one in the middle of a call that may happen once, if any is. */
function victimOf(fleet: Fleet, random: Random, kills: number): FleetProcess | undefined {
  const running = fleet.of('tool-worker').filter(({ isRunning }) => isRunning);
  const busy = kills % 2 === 0 ? running.filter((worker) => isPaying(fleet, worker)) : [];
  return running.length === 0 ? undefined : random.pick(busy.length > 0 ? busy : running);
}

function isPaying(fleet: Fleet, { pid }: FleetProcess): boolean {
  const own = readEffects(fleet.effectsFile).filter((one) => one.tool === 'pay' && one.pid === pid);
  return countOf(own, 'begin') > countOf(own, 'end');
}

interface AnsweredCall {
  readonly dispatchId: string;
  readonly tool: string;
  readonly status: string;
  readonly appliedSeq: number | null;
  readonly begun: number;
  readonly ended: number;
  /** Its function responses in the session's events. */
  readonly responses: readonly unknown[];
  readonly isUnknown: boolean;
}

/** What is stored of each call of these turns, beside what its tool wrote. */
function answeredCalls({ stored, effects }: Checked, turns: readonly Turn[]): AnsweredCall[] {
  const invocations = new Set(turns.map(({ invocationId }) => invocationId));
  const responses = stored.events.flatMap(({ content }) =>
    (content?.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? []),
  );
  const byCall = groupBy(responses, ({ id }) => id ?? '');
  const byKey = groupBy(effects, ({ idempotencyKey }) => idempotencyKey);
  return stored.calls
    .filter(({ invocationId }) => invocations.has(invocationId))
    .map(({ dispatchId, tool, status, appliedSeq, callId }) => {
      const own = byKey.get(dispatchId) ?? [];
      const given = (byCall.get(callId) ?? []).map(({ response }) => response);
      return {
        dispatchId,
        tool,
        status,
        appliedSeq,
        begun: countOf(own, 'begin'),
        ended: countOf(own, 'end'),
        responses: given,
        isUnknown: JSON.stringify(given).includes(UNKNOWN),
      };
    });
}

/** One response, applied; of a call that may happen once at most one effect, and an answer that says what is known of it. */
function isAsPromised(call: AnsweredCall): boolean {
  const { dispatchId, tool, status, appliedSeq, begun, ended, responses, isUnknown } = call;
  const [response] = responses as readonly { readonly key?: string }[]; // As the tools of `bulk` answer.
  const isApplied = status === 'done' && appliedSeq !== null && responses.length === 1;
  const isAnswered = response?.key === dispatchId && ended > 0;
  if (tool !== 'pay') return isApplied && isAnswered;
  return isApplied && (isUnknown ? begun <= 1 : isAnswered && begun === 1 && ended === 1);
}

function countOf(effects: readonly Effect[], phase: Effect['phase']): number {
  return effects.filter((one) => one.phase === phase).length;
}

/** What session-svc counts of the results it took that became this. */
async function resultsOf(fleet: Fleet, disposition: string): Promise<number> {
  const page = await (await fetch(`${fleet.one('session-svc').healthUrl}/metrics`)).text();
  const metric = parseExposed(page).find(({ name }) => name === 'skein_tool_results_total');
  return metric?.series.find(({ text }) => text.includes(`disposition="${disposition}"`))?.value ?? 0;
}

async function maxPayloadOf({ natsUrl }: Fleet): Promise<number> {
  const nats = await connect(parseNatsServers(natsUrl));
  const { max_payload: bytes = 0 } = nats.info ?? {};
  await nats.close();
  return bytes;
}
