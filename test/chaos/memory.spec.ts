import { writeFileSync } from 'node:fs';
import { textOf } from '../support/client';
import { parseExposed } from '../support/metrics-page';
import { waitUntil } from '../support/wait-until';
import { readStored } from './support/database';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { row } from './support/row';
import { aSessionId, effectsOf, epochsOf, sameForm, say, untilWhole, withoutFault } from './support/scenes';

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

    expect(textOf(events.at(-1))).toContain('was given to workers 2 times and no result came');
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

describe('a worker holds much of the memory it may', () => {
  const LIMIT_MIB = 512;
  const HELD_MIB = 300;
  const CONCURRENCY = 4;
  let fleet: Fleet;

  beforeAll(async () => {
    const env = {
      ...SCALED,
      TOOL_CONCURRENCY: `${CONCURRENCY}`,
      TOOL_MEMORY_LIMIT_BYTES: `${LIMIT_MIB * 2 ** 20}`,
    };
    fleet = await Fleet.start({ env, runners: 1, toolWorkers: 1 });
  }, 120_000);

  afterAll(() => fleet?.stop(), 60_000);

  /** As the workers say of themselves, and as calls are admitted by. */
  async function capacity(): Promise<number | undefined> {
    const page = await (await fetch(`${fleet.one('session-svc').healthUrl}/metrics`)).text();
    const metric = parseExposed(page).find(({ name }) => name === 'skein_tool_pool_capacity');
    return metric?.series.find(({ text }) => text.includes('pool="default"'))?.value;
  }

  row('row 46: it is given fewer calls, and all of them end', async () => {
    await waitUntil('all of its room', async () => (await capacity()) === CONCURRENCY || undefined);
    const sessionId = aSessionId('row46');
    const begun = (): number => effectsOf(fleet, sessionId).filter(({ phase }) => phase === 'begin').length;

    const swollen = say(fleet, sessionId, `swell ${HELD_MIB}`, 'poison');
    await waitUntil('the memory to be held', () => begun() === 1 || undefined);
    const { pid } = fleet.one('tool-worker');
    await waitUntil('less room', async () => ((await capacity()) ?? CONCURRENCY) < CONCURRENCY || undefined);
    const others = Array.from({ length: 6 }, () => say(fleet, aSessionId('row46'), 'count'));
    writeFileSync(`${fleet.effectsFile}.${sessionId}.shrink`, '');
    const turns = await Promise.all([swollen, ...others]);

    expect(textOf(turns[0]?.events.at(-1))).toContain(`{"mib":${HELD_MIB}}`);
    expect(turns.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(fleet.one('tool-worker').pid).toBe(pid);
    expect(fleet.log()).toContain('memory is short: fewer calls are taken');
    await checkInvariants(fleet, { turns });
  });
});
