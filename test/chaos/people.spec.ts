import { CANCELLED, type Event } from '@skein/contracts';
import { getFunctionCalls } from '@skein/engine';
import { Client } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { readStored, type StoredInvocation, withDatabase } from './support/database';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { row } from './support/row';
import {
  aSessionId,
  effectsOf,
  sameForm,
  say,
  untilAsked,
  untilEffect,
  untilWhole,
  withoutFault,
} from './support/scenes';

/** As promised, and what a loaded machine needs beside it. */
const CANCELLED_WITHIN_MS = 2_000 + 1_500;
/** So few that 30 sessions, were they to hold one each while they wait, would leave none. */
const RUNNER_CONCURRENCY = '4';

describe('people', () => {
  let fleet: Fleet;
  let client: Client;

  beforeAll(async () => {
    fleet = await Fleet.start({ env: { SWEEP_MS: '300', RUNNER_CONCURRENCY } });
    client = new Client(fleet.url, 'errands');
  }, 120_000);

  afterAll(() => fleet?.stop(), 60_000);

  async function invocationsOf(sessionId: string): Promise<StoredInvocation[]> {
    const { invocations } = await readStored(fleet.databaseUrl);
    return invocations.filter((one) => one.sessionId === sessionId);
  }

  function untilStatus(sessionId: string, status: string): Promise<StoredInvocation> {
    return waitUntil(`${sessionId} to be ${status}`, async () =>
      (await invocationsOf(sessionId)).find((one) => one.status === status),
    );
  }

  async function cancel(sessionId: string, id: string): Promise<number> {
    const path = `${client.sessionPath(sessionId)}/invocations/${id}/cancel`;
    return (await client.request('POST', path, {})).status;
  }

  async function endOf(sessionId: string, id: string): Promise<string | null | undefined> {
    const { events } = await readStored(fleet.databaseUrl);
    return events.findLast((one) => one.sessionId === sessionId && one.invocationId === id)?.errorCode;
  }

  /** Cancels twice, and answers how long it took until the event that tells of the end was stored. */
  async function cancelInTime(sessionId: string, id: string): Promise<number> {
    const begunMs = performance.now();
    const statuses = [await cancel(sessionId, id), await cancel(sessionId, id)];
    await waitUntil('the cancel to be over', async () => (await endOf(sessionId, id)) === CANCELLED);
    const tookMs = performance.now() - begunMs;
    expect(statuses).toEqual([200, 200]);
    expect((await invocationsOf(sessionId)).find((one) => one.id === id)?.status).toBe('cancelled');
    return tookMs;
  }

  row('row 40: cancel of a queued invocation', async () => {
    const sessionId = aSessionId('row40');
    const first = say(fleet, sessionId, 'wait 1500');
    await untilEffect(fleet, sessionId, 'begin');
    const second = say(fleet, sessionId, 'count');
    const { id } = await untilStatus(sessionId, 'queued');

    expect(await cancelInTime(sessionId, id)).toBeLessThan(CANCELLED_WITHIN_MS);
    const [, cancelled] = await Promise.all([first, second]);

    expect(cancelled.events.map(({ errorCode }) => errorCode)).toEqual([CANCELLED]);
    expect((await invocationsOf(sessionId)).map(({ status }) => status).sort()).toEqual([
      'cancelled',
      'completed',
    ]);
    expect(effectsOf(fleet, sessionId).filter(({ tool }) => tool === 'count')).toEqual([]);
    await checkInvariants(fleet, { turns: [cancelled] });
  });

  row('row 40: cancel while the model speaks', async () => {
    const sessionId = aSessionId('row40');
    const turn = say(fleet, sessionId, 'talk 80 100');
    await untilAsked(fleet, sessionId, 0);
    const { id } = await untilStatus(sessionId, 'running');

    expect(await cancelInTime(sessionId, id)).toBeLessThan(CANCELLED_WITHIN_MS);
    const taken = await turn;

    expect(taken.events.at(-1)?.errorCode).toBe(CANCELLED);
    await checkInvariants(fleet, { turns: [taken] });
  });

  row('row 40: cancel while a tool runs: its late result is not applied', async () => {
    const sessionId = aSessionId('row40');
    const turn = say(fleet, sessionId, 'pay 4000');
    await untilEffect(fleet, sessionId, 'begin');
    const { id } = await untilStatus(sessionId, 'running');

    expect(await cancelInTime(sessionId, id)).toBeLessThan(CANCELLED_WITHIN_MS);
    expect((await turn).events.at(-1)?.errorCode).toBe(CANCELLED);
    const before = await sameForm(fleet, sessionId);
    await untilEffect(fleet, sessionId, 'end');
    await checkInvariants(fleet);

    expect(await sameForm(fleet, sessionId)).toEqual(before);
  });

  row('row 40: cancel while it waits for a human', async () => {
    const sessionId = aSessionId('row40');
    const { events } = await say(fleet, sessionId, 'send');
    const { id } = await untilStatus(sessionId, 'waiting');

    expect(await cancelInTime(sessionId, id)).toBeLessThan(CANCELLED_WITHIN_MS);
    const late = await client.run(sessionId, confirming(events));

    expect(late.status).toBe(409);
    expect(effectsOf(fleet, sessionId)).toEqual([]);
    await checkInvariants(fleet);
  });

  row('row 40: cancel while it ends: it is one of the two', async (random) => {
    for (let n = 0; n < 8; n++) {
      const sessionId = aSessionId('row40');
      const turn = say(fleet, sessionId, `talk 3 ${random.integer(1, 12)}`);
      const { id } = await waitUntil('an invocation', async () => (await invocationsOf(sessionId))[0]);
      await cancel(sessionId, id);
      const shown = (await turn).events.at(-1)?.errorCode;
      const stored = (await invocationsOf(sessionId))[0]?.status;
      expect([stored, shown]).toEqual(
        shown === CANCELLED ? ['cancelled', CANCELLED] : ['completed', undefined],
      );
    }
    await checkInvariants(fleet);
  });

  row('row 43: an answer comes twice at once, and once more later: the first wins', async () => {
    const sessionId = aSessionId('row43');
    const { events } = await say(fleet, sessionId, 'send');

    const answers = await Promise.all([1, 2].map(() => client.run(sessionId, confirming(events))));
    const later = await client.run(sessionId, confirming(events));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(later.status).toBe(409);
    expect(effectsOf(fleet, sessionId).map(({ phase }) => phase)).toEqual(['begin', 'end']);
    await checkInvariants(fleet);
  });

  row('row 43: an answer to a call that was taken back', async () => {
    const sessionId = aSessionId('row43');
    const { events, invocationId = '' } = await say(fleet, sessionId, 'send');
    await client.rewind(sessionId, invocationId);

    const { status } = await client.run(sessionId, confirming(events));

    expect(status).toBe(422); // As to a call that never was.
    expect(effectsOf(fleet, sessionId)).toEqual([]);
  });

  row('row 43: an answer comes 30 days later; until then nothing was held', async () => {
    const undisturbed = aSessionId('row43');
    const asked = await say(fleet, undisturbed, 'send');
    await client.run(undisturbed, confirming(asked.events));
    const expected = await sameForm(fleet, undisturbed);
    const sessionId = aSessionId('row43');
    const { events } = await say(fleet, sessionId, 'send');
    const waiting = await untilStatus(sessionId, 'waiting');
    expect(waiting.isLeased).toBe(false);

    // A month in one statement for each table, and nothing that was in a process or in NATS is left.
    await withDatabase(fleet.databaseUrl, async (database) => {
      for (const [table, columns, key] of [
        ['adk_events', ['"timestamp"'], 'session_id'],
        ['adk_sessions', ['inserted_at', 'updated_at'], 'id'],
        ['adk_invocations', ['inserted_at', 'queued_at', 'stopped_at'], 'session_id'],
      ] as const) {
        const set = columns.map((column) => `${column} = ${column} - interval '30 days'`).join(', ');
        await database.query(`UPDATE ${table} SET ${set} WHERE ${key} = $1`, [sessionId]);
      }
    });
    await fleet.wipeNats();
    await Promise.all([...fleet.of('runner'), ...fleet.of('session-svc')].map((one) => one.kill()));
    await untilWhole(fleet);
    const { status } = await client.run(sessionId, confirming(events));

    expect(status).toBe(200);
    expect(await sameForm(fleet, sessionId)).toEqual(expected);
    await checkInvariants(fleet);
  });

  row('row 43: many wait: none holds a slot, a lease or an ack', async () => {
    const sessions = Array.from({ length: 30 }, () => aSessionId('row43'));
    await Promise.all(sessions.map((sessionId) => say(fleet, sessionId, 'send')));

    const expected = await withoutFault(fleet, 'count 2');

    expect(expected.events).toHaveLength(6);
    const { stored } = await checkInvariants(fleet);
    const waiting = stored.invocations.filter(({ sessionId }) => sessions.includes(sessionId));
    expect(waiting.map(({ status, isLeased }) => [status, isLeased])).toEqual(
      sessions.map(() => ['waiting', false]),
    );
  });
});

function confirming(events: readonly Event[]) {
  const id =
    events.flatMap(getFunctionCalls).find(({ name }) => name === 'adk_request_confirmation')?.id ?? '';
  const functionResponse = { id, name: 'adk_request_confirmation', response: { confirmed: true } };
  return { role: 'user', parts: [{ functionResponse }] };
}
