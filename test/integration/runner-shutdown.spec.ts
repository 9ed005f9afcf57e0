import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client as Postgres } from 'pg';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const folder = mkdtempSync(path.join(tmpdir(), 'skein-shutdown-'));
/** While it is there, the tool goes on; it is written once the run has gone to another, who could else end it unseen. */
const goOn = path.join(folder, 'go-on');
const STEP_GRACE_MS = 6_000;
/** Less than the grace, far less than a lease: whoever took that long waited for neither. */
const AT_ONCE_MS = 5_000;
const LEASE_MS = 15_000;

const AGENT = `
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const slow = new FunctionTool({
  name: 'slow_tool',
  description: 'Takes until it is told to go on.',
  execute: async () => {
    console.log('slow_tool begins');
    while (!existsSync(${JSON.stringify(goOn)})) await pause(20);
    return 'done';
  },
});
const call = { content: { role: 'model', parts: [{ functionCall: { name: 'slow_tool', args: {} } }] } };
const answer = { content: { role: 'model', parts: [{ text: 'It took its time.' }] } };

export const rootAgent = new LlmAgent({
  name: 'patient',
  tools: [slow],
  model: new ScriptedLlm({
    rules: [
      { when: /^slow_tool:/, respond: () => answer },
      { when: /think forever/, respond: () => ({ delayMs: 30_000, response: answer }) },
      { when: /think/, respond: () => ({ delayMs: 600, response: call }) },
      { when: /./, respond: () => call },
    ],
  }),
});
`;

/** Default settings: leases of 15 s, sweeps every 2 s. What is handed over here waits for neither. */
describe('a runner that is told to end', () => {
  let skein: Skein;
  let postgres: Postgres;
  let client: Client;

  beforeAll(async () => {
    skein = await Skein.start({ agents: { patient: AGENT }, env: { STEP_GRACE_MS: String(STEP_GRACE_MS) } });
    postgres = new Postgres({ connectionString: skein.databaseUrl });
    await postgres.connect();
    client = new Client(skein.url, 'patient');
  }, 120_000);

  afterAll(async () => {
    await postgres?.end();
    await skein?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  /** Who runs the session now: the name of its process. */
  async function ownerOf(sessionId: string): Promise<string | undefined> {
    const { rows } = await postgres.query<{ owner: string | null }>(
      `select owner from adk_invocations where session_id = $1 and status = 'running'`,
      [sessionId],
    );
    return rows[0]?.owner ?? undefined;
  }

  /** Ends the owner, and answers how long it took until another had the run. */
  async function endOwner(sessionId: string): Promise<number> {
    const owner = await waitUntil('an owner', () => ownerOf(sessionId));
    const runner = skein.processes().find(({ name }) => owner.startsWith(`${name}-`));
    if (!runner) throw new Error(`nobody is called ${owner}`);
    const before = performance.now();
    process.kill(runner.pid, 'SIGTERM');
    await waitUntil('another owner', async () => {
      const now = await ownerOf(sessionId);
      return now !== undefined && now !== owner ? now : undefined;
    });
    return performance.now() - before;
  }

  async function untilBothRunnersAreThere(): Promise<void> {
    await waitUntil('two runners that are ready', () =>
      skein.pidsOf('runner').length === 2 ? true : undefined,
    );
  }

  function asked(sessionId: string): number {
    return skein.modelRequests().filter((request) => request.sessionId === sessionId).length;
  }

  it('row 41: hands a run that waits for a tool over at once; its result is kept, nothing is done again', async () => {
    await client.createSession('tool');
    const stream = client.runSse('tool', 'take your time');
    await skein.untilLogged(/slow_tool begins/);

    const tookMs = await endOwner('tool');
    // Only now: the run went to another while the tool was at work.
    writeFileSync(goOn, '');

    const events = (await stream).map(({ data }) => data).filter(({ partial }) => !partial);
    console.info('handed over while a tool ran', { tookMs: Math.round(tookMs) });
    expect(tookMs).toBeLessThan(AT_ONCE_MS);
    expect(textOf(events.at(-1))).toBe('It took its time.');
    expect(skein.log().match(/slow_tool begins/g)).toHaveLength(1);
    expect(asked('tool')).toBe(2);
    await untilBothRunnersAreThere();
  }, 60_000);

  it('row 41: lets a short model call end and sends the call it asked for, then hands over', async () => {
    await client.createSession('model');
    const begun = skein.log().match(/slow_tool begins/g)?.length ?? 0;
    rmSync(goOn, { force: true });
    const stream = client.runSse('model', 'think');
    await waitUntil('the model to be asked', () => (asked('model') === 1 ? true : undefined));

    const tookMs = await endOwner('model');
    writeFileSync(goOn, '');

    const events = (await stream).map(({ data }) => data).filter(({ partial }) => !partial);
    console.info('handed over in a model call of 600 ms', { tookMs: Math.round(tookMs) });
    expect(tookMs).toBeLessThan(AT_ONCE_MS);
    expect(textOf(events.at(-1))).toBe('It took its time.');
    // Asked twice in all: what the first runner was told is stored, and not asked again.
    expect(asked('model')).toBe(2);
    expect(skein.log().match(/slow_tool begins/g)).toHaveLength(begun + 1);
    await untilBothRunnersAreThere();
  }, 60_000);

  it('row 41: gives a model call up that outlasts the grace, and another runner asks again', async () => {
    await client.createSession('long');
    void client.runSse('long', 'think forever').catch(() => undefined); // Its end is not waited for.
    await waitUntil('the model to be asked', () => (asked('long') === 1 ? true : undefined));

    const tookMs = await endOwner('long');

    expect(tookMs).toBeGreaterThan(STEP_GRACE_MS - 100);
    expect(tookMs).toBeLessThan(LEASE_MS);
    await waitUntil('the model to be asked again', () => (asked('long') === 2 ? true : undefined));
  }, 60_000);
});
