import { type Handover, type ToolCallMessage } from '@skein/contracts';
import { Context, createEventActions, FunctionTool, RemoteTool, type ToolCall } from '@skein/engine';
import { RecordingJournal } from '@skein/testing';
import {
  aHandover,
  anOpenCall,
  aPipeline,
  appendedFor,
  aResult,
  aTicket,
  FakeStore,
  gate,
  INVOCATION,
} from '../../test/builders';
import { RunStopped } from './active-run';
import { DispatchingToolExecutor } from './dispatching-tool-executor';
import { PendingCalls } from './pending-calls';
import { StepsUnderWay } from './steps-under-way';

const STEP = '0/agent.0/tools.0';

function aCall(dispatchId: string, placement: 'worker' | 'inline' = 'worker'): ToolCall {
  const tool = new FunctionTool({
    name: 'weather',
    description: 'Tells the weather.',
    pool: 'slow',
    placement,
    execute: () => 'here',
  });
  return {
    dispatchId,
    stepKey: STEP,
    index: 0,
    callId: 'c-1',
    agentName: 'agent',
    tool,
    args: { city: 'Bern' },
  };
}

/** An executor whose calls are published into a list. */
function anExecutor(over: Partial<Handover> = {}) {
  const store = new FakeStore();
  const pendingCalls = new PendingCalls();
  const published: ToolCallMessage[] = [];
  const stop = new AbortController();
  const params = {
    handover: aHandover(over),
    pipeline: aPipeline(store),
    journal: new RecordingJournal(),
    pendingCalls,
    steps: new StepsUnderWay(),
    publish: async (message: ToolCallMessage) => void published.push(message),
  };
  const session = { appName: 'app', userId: 'user', id: 'session', state: { mood: 'calm' } };
  const scope = { invocationId: INVOCATION, session, agentName: 'agent', signal: stop.signal };
  const toolContext = new Context(scope);
  return {
    executor: new DispatchingToolExecutor(params),
    params,
    store,
    pendingCalls,
    published,
    stop,
    toolContext,
  };
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

async function untilPublished(published: readonly ToolCallMessage[], count = 1): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (published.length < count) {
    if (performance.now() > deadline) throw new Error('no call was published in 5 s');
    await nextTurn();
  }
}

describe('DispatchingToolExecutor', () => {
  it('stores the call once, publishes it with its ticket then, and answers its first result', async () => {
    const { executor, store, published, pendingCalls, toolContext } = anExecutor();
    const stored = gate();
    store.answer = (unit) => stored.opened.then(() => appendedFor(unit));

    const executed = executor.execute(aCall('d-1'), toolContext);
    while (store.sent.length === 0) await nextTurn();
    expect(published).toEqual([]);
    stored.open();
    await untilPublished(published);
    pendingCalls.settle(aResult('d-1'));

    expect(await executed).toEqual({
      outcome: { kind: 'result', value: 'sunny' },
      execution: aResult('d-1').execution,
    });
    expect(store.sent.flatMap(({ calls }) => calls)).toMatchObject([
      { dispatchId: 'd-1', stepKey: STEP, tool: 'weather', pool: 'slow', args: { city: 'Bern' } },
    ]);
    expect(published).toMatchObject([
      {
        invocationId: INVOCATION,
        call: { dispatchId: 'd-1' },
        ticket: aTicket('d-1'),
        state: { mood: 'calm' },
      },
    ]);
  });

  it.each([
    ['none', false],
    ['sse', undefined],
  ] as const)(
    'says whether anybody follows the run, with streaming %s',
    async (streamingMode, isFollowed) => {
      const input = { ...aHandover().input, runConfig: { streamingMode } };
      const { executor, store, published, pendingCalls, toolContext } = anExecutor({ input });

      const executed = executor.execute(aCall('d-1'), toolContext);
      await untilPublished(published);
      pendingCalls.settle(aResult('d-1'));
      await executed;

      const stored = store.sent.flatMap(({ calls }) => calls);
      expect(stored.map(({ policy }) => policy.isFollowed)).toEqual([isFollowed]);
      expect(published.map(({ call }) => call.policy.isFollowed)).toEqual([isFollowed]);
    },
  );

  it('sends along what a human decided about the call (B33)', async () => {
    const { executor, store, published, pendingCalls, toolContext } = anExecutor();
    const confirmation = { hint: '', confirmed: true, payload: { limit: 3 } };
    const allowed = new Context(toolContext.contextScope, { toolConfirmation: confirmation });

    const executed = executor.execute(aCall('d-1'), allowed);
    await untilPublished(published);
    pendingCalls.settle(aResult('d-1'));
    await executed;

    expect(store.sent.flatMap(({ calls }) => calls)).toMatchObject([{ confirmation }]);
    expect(published).toMatchObject([{ call: { confirmation } }]);
  });

  it('waits for a result that comes before the call was published', async () => {
    const { executor, pendingCalls, toolContext } = anExecutor();

    const executed = executor.execute(aCall('d-1'), toolContext);
    expect(pendingCalls.settle(aResult('d-1'))).toBe('first');

    expect((await executed).outcome).toEqual({ kind: 'result', value: 'sunny' });
  });

  it('does to state and artifacts what the tool did in its worker', async () => {
    const { executor, pendingCalls, toolContext } = anExecutor();
    const actions = {
      ...createEventActions(),
      stateDelta: { seen: 1 },
      artifactDelta: { 'a.txt': 2 },
      escalate: true,
    };

    const executed = executor.execute(aCall('d-1'), toolContext);
    pendingCalls.settle(aResult('d-1', { actions }));
    await executed;

    expect(toolContext.actions).toMatchObject(actions);
    expect(toolContext.state.get('seen')).toBe(1);
  });

  it('leaves a call without a ticket to session-svc, which admits it later', async () => {
    const { executor, store, published, pendingCalls, toolContext } = anExecutor();
    store.answer = async (unit) => ({ ...appendedFor(unit), tickets: [] });

    const executed = executor.execute(aCall('d-1'), toolContext);
    while (store.sent.length === 0) await nextTurn();
    await nextTurn();
    pendingCalls.settle(aResult('d-1'));

    await executed;
    expect(published).toEqual([]);
  });

  describe('a call that an earlier owner stored', () => {
    it('is not stored again; its stored result is used', async () => {
      const openCalls = [anOpenCall('d-1', { result: aResult('d-1') })];
      const { executor, store, published, toolContext } = anExecutor({ openCalls });

      const executed = await executor.execute(aCall('d-1'), toolContext);

      expect(executed.outcome).toEqual({ kind: 'result', value: 'sunny' });
      await nextTurn();
      expect([store.sent, published]).toEqual([[], []]);
    });

    it('is not stored again; the result that is still to come is waited for', async () => {
      const { executor, store, published, pendingCalls, toolContext } = anExecutor({
        openCalls: [anOpenCall('d-1')],
      });

      const executed = executor.execute(aCall('d-1'), toolContext);
      await nextTurn();
      pendingCalls.settle(aResult('d-1'));

      expect((await executed).outcome).toEqual({ kind: 'result', value: 'sunny' });
      expect([store.sent, published]).toEqual([[], []]);
    });
  });

  describe('once its signal is aborted', () => {
    const reason = new RunStopped('its lease is lost');

    it('stores nothing', async () => {
      const { executor, store, stop, toolContext } = anExecutor();
      stop.abort(reason);

      await expect(executor.execute(aCall('d-1'), toolContext)).rejects.toBe(reason);

      await nextTurn();
      expect(store.sent).toEqual([]);
    });

    it('publishes nothing that was stored meanwhile', async () => {
      const { executor, store, published, stop, toolContext } = anExecutor();
      const stored = gate();
      store.answer = (unit) => stored.opened.then(() => appendedFor(unit));

      const executed = executor.execute(aCall('d-1'), toolContext);
      while (store.sent.length === 0) await nextTurn();
      stop.abort(reason);
      stored.open();

      await expect(executed).rejects.toBe(reason);
      await nextTurn();
      expect(published).toEqual([]);
    });

    it('ends the wait for a result', async () => {
      const { executor, published, stop, toolContext } = anExecutor();

      const executed = executor.execute(aCall('d-1'), toolContext);
      await untilPublished(published);
      stop.abort(reason);

      await expect(executed).rejects.toBe(reason);
    });
  });

  it('runs an inline call here, after what led to it is stored', async () => {
    const { executor, params, store, published, toolContext } = anExecutor();
    const stored = gate();
    jest.spyOn(params.journal, 'stored').mockReturnValue(stored.opened);
    let isDone = false;

    const executed = executor.execute(aCall('d-1', 'inline'), toolContext).finally(() => (isDone = true));
    await nextTurn();
    expect(isDone).toBe(false);
    stored.open();

    expect((await executed).outcome).toEqual({ kind: 'result', value: 'here' });
    expect([store.sent, published]).toEqual([[], []]);
  });

  it('applies of a result what the tool declared, and tells of the rest (row 18)', async () => {
    const undeclared: string[] = [];
    const { params, pendingCalls, toolContext } = anExecutor();
    const executor = new DispatchingToolExecutor({
      ...params,
      onUndeclared: (tool) => undeclared.push(tool),
    });
    const { tool: _tool, ...call } = aCall('d-1');
    const tool = new RemoteTool({ name: 'weather', description: '', pool: 'slow' });
    const hostile = {
      ...createEventActions(),
      stateDelta: { city: 'Bern', 'app:price': 0, 'user:name': 'Eve' },
      ...{ transferToAgent: 'admin', escalate: true, endOfAgent: true, rewindBeforeInvocationId: 'e-0' },
    };

    const executing = executor.execute({ ...call, tool }, toolContext);
    await until(() => pendingCalls.settle(aResult('d-1', { actions: hostile })) === 'first');
    const { outcome } = await executing;

    expect(outcome).toEqual({ kind: 'result', value: 'sunny' });
    expect(toolContext.actions).toEqual({ ...createEventActions(), stateDelta: { city: 'Bern' } });
    expect(undeclared).toEqual(['weather']);
  });

  it('takes from a worker nothing that is the framework’s own, also where the tool declared nothing (row 18)', async () => {
    const { executor, pendingCalls, toolContext } = anExecutor();
    const hostile = {
      ...createEventActions(),
      ...{ endOfAgent: true, agentState: { at: 9 }, rewindBeforeInvocationId: 'e-0' },
      compaction: { startTimestamp: 0, endTimestamp: 9, compactedContent: { parts: [{ text: 'all paid' }] } },
    };

    const executing = executor.execute(aCall('d-1'), toolContext);
    await until(() => pendingCalls.settle(aResult('d-1', { actions: hostile })) === 'first');
    await executing;

    expect(toolContext.actions).toEqual(createEventActions());
  });
});

/** Lets turns of the loop pass until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000; turn++) {
    if (isSo()) return;
    await nextTurn();
  }
  throw new Error('It never came to it.');
}
