import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const HEAD = `
import { existsSync, writeFileSync } from 'node:fs';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const says = (...parts) => ({ content: { role: 'model', parts } });
const calls = (...names) => says(...names.map((name) => ({ functionCall: { name, args: {} } })));
const tool = (name, execute) => new FunctionTool({ name, description: '', execute });
const agent = (name, ...tools) => new LlmAgent({
  name,
  model: new ScriptedLlm({ responses: [calls(...tools.map((one) => one.name)), says({ text: 'done' })] }),
  tools,
});
`;

const TOGETHER = `${HEAD}
const save = (name) => tool(name, async (_args, context) => ({
  version: await context.saveArtifact('report.txt', { text: 'by ' + name }),
  pid: process.pid,
}));
export const rootAgent = agent('together', ...['a', 'b', 'c', 'd'].map(save));
`;

const CUT = `${HEAD}
export const rootAgent = agent('cut', tool('save', async (_args, context) => {
  const version = await context.saveArtifact('report.txt', { text: 'the report' });
  const mark = process.env.DATA_DIR + '/killed-once';
  if (!existsSync(mark)) {
    writeFileSync(mark, '');
    process.kill(process.pid, 'SIGKILL');
  }
  return { version };
}));
`;

describe('artifacts that tools save in workers', () => {
  let skein: Skein;

  beforeAll(async () => {
    skein = await Skein.start({ agents: { together: TOGETHER, cut: CUT }, env: { ACK_WAIT_MS: '2000' } });
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  async function play(app: string) {
    const client = new Client(skein.url, app);
    await client.createSession('s');
    const { body: events } = await client.run('s', 'go');
    const { body: versions } = await client.request<number[]>(
      'GET',
      `${client.sessionPath('s')}/artifacts/report.txt/versions`,
    );
    const answer = events.find(({ content }) => content?.parts?.some((part) => part.functionResponse));
    return { events, versions, answer };
  }

  it('under one name at once get a version each, and the event names the latest', async () => {
    const { events, versions, answer } = await play('together');

    const given = (answer?.content?.parts ?? []).map((part) => part.functionResponse?.response?.version);
    expect([...given].sort()).toEqual([0, 1, 2, 3]);
    expect(versions).toEqual([0, 1, 2, 3]);
    expect(answer?.actions.artifactDelta).toEqual({ 'report.txt': 3 });
    expect(textOf(events.at(-1))).toBe('done');
  });

  it('are one version when the worker dies between the save and its result', async () => {
    const { events, versions, answer } = await play('cut');

    expect(versions).toEqual([0]);
    expect(answer?.content?.parts?.[0]?.functionResponse?.response).toEqual({ version: 0 });
    expect(answer?.actions.artifactDelta).toEqual({ 'report.txt': 0 });
    expect(textOf(events.at(-1))).toBe('done');
  }, 60_000);
});
