import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type FunctionResponse } from '@skein/contracts';
import { Client as Database } from 'pg';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const CALLS = 1_000;
/** Of one answer of a model as many are run. */
const CAP = 32;

const ARGS = {
  missing: { to: 'ada' },
  wrong: { to: 'ada', amount: '7' },
  nested: { to: 'ada', amount: 7, note: { lines: ['fine', 5] } },
  list: { to: ['ada', 'eve'], amount: 7 },
  extra: { to: 'ada', amount: 7, isAdmin: true, note: { lines: [], by: 'eve' } },
};

const agentOf = (effects: string): string => `
import { appendFileSync } from 'node:fs';
import { FunctionTool, LlmAgent, RemoteTool, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const parameters = z.object({
  to: z.string(), amount: z.number(), note: z.object({ lines: z.array(z.string()) }).optional(),
});
const execute = async (args) => {
  appendFileSync(${JSON.stringify(effects)}, JSON.stringify(args) + '\\n');
  return { took: args };
};
const tools = [
  new FunctionTool({ name: 'pay', description: 'Pays.', parameters, execute }),
  new FunctionTool({ name: 'strict', description: 'Pays.', parameters: z.strictObject(parameters.shape), execute }),
  new RemoteTool({ name: 'remote', description: 'Pays.', parameters, pool: 'elsewhere' }),
];
const cases = ${JSON.stringify(ARGS)};
const parts = (calls) => ({ content: { role: 'model', parts: calls.map((functionCall) => ({ functionCall })) } });
export const rootAgent = new LlmAgent({
  name: 'payer',
  tools,
  model: new ScriptedLlm({
    rules: [
      { when: /^(\\w+) (missing|wrong|nested|list|extra)$/, respond: ([, name, which]) => parts([{ name, args: cases[which] }]) },
      {
        when: /^many (\\d+)$/,
        respond: ([, count]) =>
          parts(Array.from({ length: Number(count) }, (_, n) => ({ id: 'c' + n, name: 'pay', args: { to: 'ada', amount: n } }))),
      },
      { when: /.*/s, respond: () => ({ content: { role: 'model', parts: [{ text: 'It is over.' }] } }) },
    ],
  }),
});
`;

describe('row 30: what a model asks of tools', () => {
  let skein: Skein;
  let client: Client;
  let folder: string;
  let effects: string;
  let sessions = 0;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'skein-arguments-'));
    effects = path.join(folder, 'effects');
    skein = await Skein.start({ agents: { payer: agentOf(effects) } });
    client = new Client(skein.url, 'payer');
  }, 180_000);

  afterAll(async () => {
    await skein?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  /** What the model read of its calls in one turn, which goes on to its end. */
  async function ask(message: string): Promise<{ sessionId: string; responses: FunctionResponse[] }> {
    const sessionId = `s${++sessions}`;
    await client.createSession(sessionId);
    const events = (await client.runSse(sessionId, message)).map(({ data }) => data);
    expect(textOf(events.at(-1))).toBe('It is over.');
    const whole = events.filter(({ partial }) => partial !== true);
    const responses = whole.flatMap(({ content }) =>
      (content?.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? []),
    );
    return { sessionId, responses };
  }

  function ran(): unknown[] {
    if (!existsSync(effects)) return [];
    const lines = readFileSync(effects, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as unknown);
  }

  /** The calls of a session that were ever given to workers. */
  async function dispatched(sessionId: string): Promise<number> {
    const database = new Database({ connectionString: skein.databaseUrl });
    await database.connect();
    const { rows } = await database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM adk_tool_calls t JOIN adk_invocations i ON i.id = t.invocation_id
        WHERE i.session_id = $1`,
      [sessionId],
    );
    await database.end();
    return rows[0]?.n ?? NaN;
  }

  it.each([
    ['pay missing', /mandatory input parameters are not present:\namount/],
    ['pay wrong', /do not match its parameters/],
    ['pay nested', /do not match its parameters/],
    ['pay list', /do not match its parameters/],
    ['strict extra', /do not match its parameters/],
    ['remote missing', /mandatory input parameters are not present:\namount/],
    ['remote wrong', /do not match its parameters/],
  ])('is refused before any worker has it, and the model reads why: %s', async (message, reason) => {
    const before = ran().length;

    const { sessionId, responses } = await ask(message);

    expect(responses).toMatchObject([{ response: { error: expect.stringMatching(reason) } }]);
    expect(await dispatched(sessionId)).toBe(0);
    expect(ran()).toHaveLength(before);
  });

  it('reaches the tool without what its schema does not know', async () => {
    const { responses } = await ask('pay extra');

    const known = { to: 'ada', amount: 7, note: { lines: [] } };
    expect(responses).toMatchObject([{ response: { took: known } }]);
    expect(ran().at(-1)).toEqual(known);
  });

  it(`is cut at ${CAP} of ${CALLS} calls in one turn: each is answered, and the model reads which were not run`, async () => {
    const before = ran().length;

    const { sessionId, responses } = await ask(`many ${CALLS}`);

    expect(responses.map(({ id }) => id)).toHaveLength(CALLS);
    expect(new Set(responses.map(({ id }) => id)).size).toBe(CALLS);
    const [run, left] = [responses.slice(0, CAP), responses.slice(CAP)];
    expect(run.map(({ response }) => response)).toEqual(
      run.map((_, amount) => ({ took: { to: 'ada', amount } })),
    );
    const refusal = `Not run: ${CALLS} calls in one turn, of which the first ${CAP} were run.`;
    expect(left.filter(({ response }) => response?.error !== refusal)).toEqual([]);
    expect(await dispatched(sessionId)).toBe(CAP);
    expect(ran()).toHaveLength(before + CAP);
    expect(skein.modelRequests().filter((one) => one.sessionId === sessionId)).toHaveLength(2);
  }, 60_000);
});
