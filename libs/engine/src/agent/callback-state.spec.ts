import { calls, FakeLlm, runTurn, text, type Turn } from '@skein/testing';
import { BasePlugin } from '../plugin/base-plugin';
import { FunctionTool } from '../tool/function-tool';
import { type Context } from './context';
import { LlmAgent } from './llm-agent';
import { type LlmAgentConfig } from './llm-agent-config';

const circular: Record<string, unknown> = {};
circular.self = circular;

type Setter = (context: Context) => undefined;

/** Says nothing, and sets that. */
function sets(delta: Record<string, unknown>): Setter {
  return ({ state }) => {
    state.update(delta);
    return undefined;
  };
}

const callbacks: readonly [string, (set: Setter) => Partial<LlmAgentConfig>][] = [
  ['before_agent', (set) => ({ beforeAgentCallback: (context) => set(context) })],
  ['after_agent', (set) => ({ afterAgentCallback: (context) => set(context) })],
  ['before_model', (set) => ({ beforeModelCallback: ({ context }) => set(context) })],
  ['after_model', (set) => ({ afterModelCallback: ({ context }) => set(context) })],
  ['before_tool', (set) => ({ beforeToolCallback: ({ context }) => set(context) })],
  ['after_tool', (set) => ({ afterToolCallback: ({ context }) => set(context) })],
];

function runAgent(config: Partial<LlmAgentConfig>): Promise<Turn> {
  const tool = new FunctionTool({ name: 'look', description: 'Looks.', execute: () => ({ seen: 1 }) });
  const model = new FakeLlm([[calls({ id: 'c', name: 'look', args: {} })], [text('done')]]);
  return runTurn(new LlmAgent({ name: 'root', model, tools: [tool], ...config }));
}

describe('state that a callback sets', () => {
  it.each(callbacks)('is refused by its key where it has no JSON form: %s', async (_name, callback) => {
    const { error, events } = await runAgent(callback(sets({ 'user:cart': () => 1 })));

    expect(error).toMatchObject({
      code: 'state.unserialisable',
      message: expect.stringMatching(
        /^The state that agent 'root' \(.+\) set cannot be stored: stateDelta "user:cart": A function has no JSON form/,
      ),
    });
    expect(events.at(-1)).toMatchObject({ errorCode: 'state.unserialisable' });
  });

  it.each([
    ['a BigInt', 1n, 'A BigInt has no JSON form'],
    ['a cycle', circular, 'contains itself'],
    ['a Map below', { carts: [new Map()] }, 'A Map has no JSON form'],
    ['NaN', NaN, 'NaN has no JSON form'],
  ])('is refused as a tool’s is: %s', async (_what, value, reason) => {
    const { error } = await runAgent({ beforeAgentCallback: sets({ cart: value }) });

    expect(error).toMatchObject({ code: 'state.unserialisable', message: expect.stringContaining(reason) });
  });

  it('is refused where it is too deep', async () => {
    const deep = JSON.parse('['.repeat(62) + ']'.repeat(62)) as unknown;

    const { error } = await runAgent({ beforeAgentCallback: sets({ cart: deep }) });

    expect(error).toMatchObject({ code: 'state.too-deep', message: expect.stringContaining('"cart"') });
  });

  it('is null where it was set to undefined, and as JSON reads it where it says how', async () => {
    const { events, session } = await runAgent({
      beforeAgentCallback: sets({ gone: undefined, at: new Date(0), n: 1 }),
    });

    const set = { at: '1970-01-01T00:00:00.000Z', gone: null, n: 1 };
    expect(events[0]?.actions.stateDelta).toEqual(set);
    expect(session.state).toEqual(set);
  });

  it('is refused of plugins too', async () => {
    class Setting extends BasePlugin {
      override async beforeAgentCallback({
        callbackContext,
      }: {
        readonly callbackContext: Context;
      }): Promise<undefined> {
        callbackContext.state.set('seen', Symbol('s'));
        return undefined;
      }
    }
    const rootAgent = new LlmAgent({ name: 'root', model: new FakeLlm([[text('done')]]) });

    const { error } = await runTurn({ rootAgent, plugins: [new Setting('setting')] });

    expect(error).toMatchObject({
      code: 'state.unserialisable',
      message: expect.stringContaining('"seen": A symbol'),
    });
  });
});
