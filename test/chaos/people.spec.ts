import { type Event } from '@skein/contracts';
import { getFunctionCalls } from '@skein/engine';
import { Client } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { readStored, type StoredInvocation, withDatabase } from './support/database';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { row } from './support/row';
import { aSessionId, sameForm, say, untilWhole, withoutFault } from './support/scenes';

describe('people', () => {
  let fleet: Fleet;
  let client: Client;

  beforeAll(async () => {
    fleet = await Fleet.start({ env: { SWEEP_MS: '300' } });
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

  row('row 43: an answer comes 30 days later; until then nothing was held', async () => {
    const undisturbed = aSessionId('row43');
    const asked = await say(fleet, undisturbed, 'send');
    await client.run(undisturbed, confirming(asked.events));
    const expected = await sameForm(fleet, undisturbed);
    const sessionId = aSessionId('row43');
    const { events } = await say(fleet, sessionId, 'send');
    await untilStatus(sessionId, 'waiting');

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

  row('row 43: many wait, and others are served as before', async () => {
    const sessions = Array.from({ length: 30 }, () => aSessionId('row43'));
    await Promise.all(sessions.map((sessionId) => say(fleet, sessionId, 'send')));

    const expected = await withoutFault(fleet, 'count 2');

    expect(expected.events).toHaveLength(6);
    const { stored } = await checkInvariants(fleet);
    const waiting = stored.invocations.filter(({ sessionId }) => sessions.includes(sessionId));
    expect(waiting.map(({ status }) => status)).toEqual(sessions.map(() => 'waiting'));
  });
});

function confirming(events: readonly Event[]) {
  const id =
    events.flatMap(getFunctionCalls).find(({ name }) => name === 'adk_request_confirmation')?.id ?? '';
  const functionResponse = { id, name: 'adk_request_confirmation', response: { confirmed: true } };
  return { role: 'user', parts: [{ functionResponse }] };
}
