import { type AppendUnit, type Handover } from '@skein/contracts';
import { Context, FunctionTool, type ToolCall } from '@skein/engine';
import { RecordingJournal } from '@skein/testing';
import { DispatchingToolExecutor } from '../src/run/dispatching-tool-executor';
import { PendingCalls } from '../src/run/pending-calls';
import { StepsUnderWay } from '../src/run/steps-under-way';
import { aHandover, aPipeline, FakeStore, INVOCATION } from './builders';

export const STEP = '0/agent.0/tools.0';

export function aCall(
  dispatchId: string,
  placement: 'worker' | 'inline' = 'worker',
  { readOnly = false } = {},
): ToolCall {
  const tool = new FunctionTool({
    ...(readOnly && { readOnly }),
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

/** An executor whose units go into a list. */
export function anExecutor(over: Partial<Handover> = {}) {
  const store = new FakeStore();
  const pendingCalls = new PendingCalls();
  const stop = new AbortController();
  const params = {
    handover: aHandover(over),
    pipeline: aPipeline(store),
    journal: new RecordingJournal(),
    pendingCalls,
    steps: new StepsUnderWay(),
  };
  const session = { appName: 'app', userId: 'user', id: 'session', state: { mood: 'calm' } };
  const scope = { invocationId: INVOCATION, session, agentName: 'agent', signal: stop.signal };
  const toolContext = new Context(scope);
  const executor = new DispatchingToolExecutor(params);
  return { executor, params, store, pendingCalls, stop, toolContext };
}

export const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** The units that left, once there are any. */
export async function unitsOf(store: FakeStore): Promise<readonly AppendUnit[]> {
  await until(() => store.sent.length > 0);
  return store.sent;
}

/** Lets turns of the loop pass until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000; turn++) {
    if (isSo()) return;
    await nextTurn();
  }
  throw new Error('It never came to it.');
}
