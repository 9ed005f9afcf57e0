import { textOf } from '../support/client';
import { readStored } from './support/database';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { row } from './support/row';
import { aSessionId, epochsOf, sameForm, say, untilWhole, withoutFault } from './support/scenes';

// Scaled down from 15 s, 2 s and 30 s: they are the time until somebody notices a death.
const SCALED = { LEASE_MS: '1500', SWEEP_MS: '300', ACK_WAIT_MS: '1000' };

describe('a process runs out of memory', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    // A heap that a test can fill quickly.
    const envOf = (): NodeJS.ProcessEnv => ({ NODE_OPTIONS: '--max-old-space-size=160' });
    fleet = await Fleet.start({ env: SCALED, envOf, runners: 2, toolWorkers: 2 });
  }, 120_000);

  afterAll(() => fleet?.stop(), 60_000);

  row('row 46: a worker that does: the call ends with an error after its attempts', async () => {
    const sessionId = aSessionId('row46');

    const { events } = await say(fleet, sessionId, 'hog', 'poison');

    expect(textOf(events.at(-1))).toContain('was started 2 times and never finished');
    await untilWhole(fleet);
    await checkInvariants(fleet);
  });

  row('row 46: a runner that does: another goes on', async () => {
    const expected = await withoutFault(fleet, 'hello', 'poison');
    const sessionId = aSessionId('row46');

    await say(fleet, sessionId, 'hog once', 'poison');

    expect((await sameForm(fleet, sessionId, 'poison')).events.at(-1)).toMatchObject({
      ...expected.events.at(-1),
      id: expect.any(String),
      invocationId: expect.any(String),
    });
    const { invocations } = await readStored(fleet.databaseUrl);
    expect(invocations.find((one) => one.sessionId === sessionId)?.status).toBe('completed');
    expect(await epochsOf(fleet, sessionId)).toBeGreaterThan(1);
  });
});
