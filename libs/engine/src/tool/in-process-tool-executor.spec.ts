import { aSession } from '@skein/testing';
import { Context } from '../agent/context';
import { createEventActions } from '../event/create-event';
import { FunctionTool } from './function-tool';
import { InProcessToolExecutor } from './in-process-tool-executor';

/** Runs a tool of this code, after a callback that noted its mood. */
async function execute(run: (context: Context) => unknown) {
  const session = aSession({ state: { stored: 1 } });
  const { signal } = new AbortController();
  const scope = { invocationId: 'e-1', session, agentName: 'root', signal };
  const toolContext = new Context(scope, { actions: createEventActions(), functionCallId: 'c1' });
  toolContext.state.set('mood', 'good');
  const tool = new FunctionTool({
    name: 'probe',
    description: 'Does it.',
    execute: (_args, context) => run(context),
  });
  const call = { dispatchId: 'd', stepKey: '0/x', index: 0, callId: 'c1', agentName: 'root', tool, args: {} };

  const { outcome } = await new InProcessToolExecutor().execute(call, toolContext);

  return { outcome, toolContext };
}

/** What tools write that checks no types. */
function loosely(context: Context): Record<string, unknown> {
  return context.actions;
}

const before = createEventActions({ stateDelta: { mood: 'good' } });

describe('a tool that runs in this process', () => {
  it('adds to what was there before it, storable', async () => {
    const { outcome, toolContext } = await execute((context) => {
      context.state.set('at', new Date(0));
      context.actions.escalate = true;
      return 'done';
    });

    expect(outcome).toEqual({ kind: 'result', value: 'done' });
    expect(toolContext.actions).toEqual({
      ...before,
      stateDelta: { mood: 'good', at: '1970-01-01T00:00:00.000Z' },
      escalate: true,
    });
  });

  it('may replace a map of its actions: callbacks after it still write to the one that is stored', async () => {
    const { toolContext } = await execute((context) => {
      context.actions.stateDelta = { replaced: true };
    });

    toolContext.state.set('after', 1);

    expect(toolContext.actions.stateDelta).toEqual({ mood: 'good', replaced: true, after: 1 });
  });

  it.each([
    ['a wrong type', 'tool.bad-actions', (context: Context) => (loosely(context).transferToAgent = 42)],
    ['a hint that is no text', 'tool.bad-actions', (context: Context) => ask(context, 42)],
    ['no map', 'tool.bad-actions', (context: Context) => (loosely(context).stateDelta = 5)],
    ['a BigInt in state', 'tool.unserialisable', (context: Context) => context.state.set('n', 1n)],
  ])('is answered by an error for %s, and nothing it did counts', async (_, code, spoil) => {
    const { outcome, toolContext } = await execute((context) => {
      context.state.set('mood', 'bad');
      context.actions.skipSummarization = true;
      spoil(context);
      return 'done';
    });

    toolContext.state.set('after', 1);

    expect(outcome).toMatchObject({ kind: 'error', code });
    expect(toolContext.actions).toEqual({ ...before, stateDelta: { mood: 'good', after: 1 } });
    expect(Object.keys(toolContext.actions)).not.toContain('transferToAgent');
  });

  it('is answered by that error also when it threw, as in a worker', async () => {
    const { outcome } = await execute((context) => {
      loosely(context).escalate = 'yes';
      throw new Error('late');
    });

    expect(outcome).toMatchObject({ kind: 'error', code: 'tool.bad-actions' });
  });

  it('keeps what it did before it threw, and nothing when its result cannot be stored', async () => {
    const threw = await execute((context) => {
      context.state.set('tried', true);
      throw new Error('late');
    });
    const returned = await execute((context) => {
      context.state.set('tried', true);
      return 1n;
    });

    expect(threw.outcome).toMatchObject({ code: 'tool.threw' });
    expect(threw.toolContext.actions.stateDelta).toEqual({ mood: 'good', tried: true });
    expect(returned.outcome).toMatchObject({ code: 'tool.unserialisable' });
    expect(returned.toolContext.actions).toEqual(before);
  });

  it('cannot do what is the framework’s own', async () => {
    const { outcome, toolContext } = await execute((context) => {
      Object.assign(context.actions, { rewindBeforeInvocationId: 'e-0', endOfAgent: true, agentState: {} });
      return 'done';
    });

    expect(outcome).toMatchObject({ kind: 'result' });
    expect(toolContext.actions).toEqual(before);
  });
});

function ask(context: Context, hint: unknown): void {
  // @ts-expect-error what a tool in JavaScript passes
  context.requestConfirmation({ hint });
}
