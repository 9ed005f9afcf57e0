import { connect } from '@nats-io/transport-node';
import { type Event } from '@skein/contracts';
import { parseNatsServers } from '@skein/messaging';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const AGENT = `
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const says = (...parts) => ({ content: { role: 'model', parts } });
const calls = (...names) => says(...names.map((name) => ({ functionCall: { name, args: {} } })));
const tool = (name, execute, more) => new FunctionTool({ name, description: '', execute, ...more });
const inSteps = async (_args, context) => {
  for (const percent of [0, 50, 100]) {
    context.progress({ percent, pid: process.pid });
    await pause(150);
  }
  return { pid: process.pid };
};
const flood = async (_args, context) => {
  for (const until = Date.now() + 600; Date.now() < until; ) {
    for (let n = 0; n < 100; n++) context.progress('x');
    await pause(1);
  }
  context.heartbeat();
  return 'over';
};
const agent = (name, ...tools) => new LlmAgent({
  name,
  model: new ScriptedLlm({ responses: [calls(...tools.map((one) => one.name)), says({ text: 'done' })] }),
  tools,
});
`;

const render = `tool('render', inSteps)`;
const agents = {
  renders: `${AGENT}\nexport const rootAgent = agent('renders', ${render}, tool('render_too', inSteps));`,
  inline: `${AGENT}\nexport const rootAgent = agent('inline', tool('render', inSteps, { placement: 'inline' }));`,
  floods: `${AGENT}\nexport const rootAgent = agent('floods', tool('flood', flood), tool('flood_here', flood, { placement: 'inline' }));`,
};

interface Told {
  readonly name: string;
  readonly value: unknown;
}

describe('the progress of tools over the services', () => {
  let skein: Skein;

  beforeAll(async () => {
    skein = await Skein.start({ agents });
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  async function stream(
    app: string,
    streaming = true,
    user = 'ada',
  ): Promise<{ client: Client; events: Event[] }> {
    const client = new Client(skein.url, app, user);
    await client.createSession('s');
    const frames = await client.runSse('s', 'go', { streaming });
    return { client, events: frames.map(({ data }) => data) };
  }

  function told(events: readonly Event[]): Told[] {
    return events.flatMap(({ partial, content }) =>
      (content?.parts ?? []).flatMap(({ functionResponse }) =>
        partial && functionResponse?.willContinue === true
          ? [{ name: functionResponse.name, value: functionResponse.response?.progress }]
          : [],
      ),
    );
  }

  it('reaches the stream as pieces of the event that answers the calls, and is not stored', async () => {
    const { client, events } = await stream('renders');

    const answer = events.find(({ partial, content }) => !partial && content?.parts?.[0]?.functionResponse);
    const pieces = events.filter(({ partial }) => partial);
    for (const name of ['render', 'render_too']) {
      const values = told(events)
        .filter((one) => one.name === name)
        .map(({ value }) => value as { percent: number; pid: number });
      expect(values.map(({ percent }) => percent)).toEqual([0, 50, 100]);
      expect(skein.pidsOf('tool-worker')).toContain(values[0]?.pid);
    }
    expect(new Set(pieces.map(({ id }) => id))).toEqual(new Set([answer?.id]));
    expect(
      pieces.every(
        ({ author, invocationId }) => author === 'renders' && invocationId === answer?.invocationId,
      ),
    ).toBe(true);
    const lastPiece = events.findLastIndex(({ partial }) => partial);
    expect(lastPiece).toBeLessThan(events.findIndex(({ id, partial }) => !partial && id === answer?.id));
    expect(textOf(events.at(-1))).toBe('done');
    const { events: stored } = await client.getSession('s');
    expect(stored.filter(({ partial }) => partial)).toEqual([]);
  });

  it('of a tool in the runner does too', async () => {
    const { events } = await stream('inline');

    expect(told(events).map(({ value }) => (value as { percent: number }).percent)).toEqual([0, 50, 100]);
    expect(skein.pidsOf('runner')).toContain((told(events)[0]?.value as { pid: number }).pid);
  });

  it('is told twenty times a second at most, however fast a tool tells it', async () => {
    const { events } = await stream('floods');

    for (const name of ['flood', 'flood_here']) {
      const count = told(events).filter((one) => one.name === name).length;
      expect(count).toBeGreaterThan(3);
      // In 600 ms, and one of them at once.
      expect(count).toBeLessThanOrEqual(14);
    }
  });

  it('is not for those who asked for whole events: it does not even leave its worker', async () => {
    const nats = await connect({ ...parseNatsServers(skein.natsUrl) });
    const heard: string[] = [];
    nats.subscribe('progress.>', { callback: (_error, { subject }) => void heard.push(subject) });
    await nats.flush();
    const { events } = await stream('inline', false);
    const client = new Client(skein.url, 'renders', 'bob');
    await client.createSession('s');

    const { body } = await client.run('s', 'go');
    await nats.flush();

    expect([...told(events), ...told(body)]).toEqual([]);
    expect(textOf(body.at(-1))).toBe('done');
    expect(heard).toEqual([]);
    await stream('renders', true, 'eve');
    await nats.flush();
    expect(heard.length).toBeGreaterThan(0);
    await nats.close();
  });
});
