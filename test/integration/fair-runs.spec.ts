import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import { Client } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const PLACES = 2;
const WAITING = 20;

const folder = mkdtempSync(path.join(tmpdir(), 'skein-fair-'));
/** Once it is there, the model answers who said "hold". */
const gate = path.join(folder, 'go-on');

const AGENT = `
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { LlmAgent, ScriptedLlm } from '@skein/adk';

export const rootAgent = new LlmAgent({
  name: 'echo',
  model: new ScriptedLlm({
    rules: [
      {
        when: /^hold/,
        respond: async () => {
          while (!existsSync(${JSON.stringify(gate)})) await pause(20);
          return 'done';
        },
      },
      { when: /^.*/, respond: () => 'done' },
    ],
  }),
});
`;

let skein: Skein;
let database: Pool;

beforeAll(async () => {
  const env = { RUNNERS: '1', TOOL_WORKERS: '1', RUNNER_CONCURRENCY: String(PLACES) };
  skein = await Skein.start({ agents: { echo: AGENT }, env });
  database = new Pool({ connectionString: skein.databaseUrl });
}, 120_000);
afterAll(async () => {
  await database?.end();
  await skein?.stop();
  rmSync(folder, { recursive: true });
}, 60_000);

async function untilStored(status: 'running' | 'queued', count: number): Promise<void> {
  await waitUntil(`${count} ${status}`, async () => {
    const counted = 'SELECT 1 FROM adk_invocations WHERE status = $1';
    return (await database.query(counted, [status])).rowCount === count ? true : undefined;
  });
}

it('row 44: begins the run of a user who waits for one beside the first of a user who waits for many', async () => {
  const [cron, ada] = [new Client(skein.url, 'echo', 'cron'), new Client(skein.url, 'echo', 'ada')];
  const more = { autoCreateSession: true };
  const held = Array.from({ length: PLACES }, (_, nth) => cron.run(`held-${nth}`, 'hold', more));
  await untilStored('running', PLACES);
  const woken = [];
  for (let nth = 1; nth <= WAITING; nth++) {
    woken.push(cron.run(`woken-${nth}`, 'go', more));
    await untilStored('queued', nth);
  }
  const late = ada.run('late', 'go', more);
  await untilStored('queued', WAITING + 1);

  writeFileSync(gate, '');
  const answers = await Promise.all([...held, ...woken, late]);

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const begun = skein.modelRequests().map(({ sessionId }) => sessionId);
  expect(begun).toHaveLength(PLACES + WAITING + 1);
  // One of the other user may be before it in its round; the places that become free together begin in any order.
  expect(begun.indexOf('late')).toBeLessThanOrEqual(PLACES + PLACES);
}, 120_000);
