import { type AppendUnit, type CallRow, type Handover, type ToolCallMessage } from '@skein/contracts';
import { announceWorker } from './announced-worker';
import { holdCommits } from './held-commits';
import { sharedServices } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  type FakeRunner,
  handoverOf,
  startFakeRunner,
  statusOfCall,
  submitTo,
} from './session-svc-harness';

/** Of a tool that may change something, and of one that only reads. */
export const changing = { timeoutMs: 1_000, maxAttempts: 3, sideEffect: 'idempotent' } as const;
export const reading = { ...changing, readOnly: true } as const;
/** Whose workers begin no call before it is stored; those of `default` begin it as it comes. */
export const HOLDING = 'holding';

/** A session-svc with a runner and workers, as far as it hears of any, and the calls that leave it. For a whole file. */
export function callsAhead() {
  // Sweeps come too late for these tests: what is sent here is sent with its unit.
  const spec = sharedServices({ SWEEP_MS: '60000', HOLD_CALLS: 'true' });
  const { ground, cleanup, atEnd } = spec;
  let runner: FakeRunner;
  const sent: { readonly message: ToolCallMessage; readonly msgId: string | undefined }[] = [];

  beforeAll(async () => {
    const calls = ground.connection.nats.subscribe('tool.>', {
      callback: (_error, message) =>
        void sent.push({ message: message.json(), msgId: message.headers?.get('Nats-Msg-Id') }),
    });
    atEnd.add(() => calls.drain());
    await ground.connection.flush();
    await announceWorker(ground, atEnd, { pool: 'default', tools: ['add'] });
    await announceWorker(ground, atEnd, { pool: HOLDING, tools: ['add'], concurrency: 16, holds: true });
    runner = await startFakeRunner(ground, atEnd, undefined, 'held');
    await runner.setCredit(50);
    // The database's clock is known from what was stored before, and workers from what they said.
    await appendTo(ground, unitOf(await aRun(), []));
  });

  const aRun = async (): Promise<Handover> => handoverOf(runner, await submitTo(ground, aKey()));

  function unitOf(run: Handover, calls: readonly CallRow[], more: Partial<AppendUnit> = {}): AppendUnit {
    const { runnerId } = runner;
    const sending = [{ state: {}, calls: calls.map(({ dispatchId }) => ({ dispatchId })) }];
    return aUnit(run, 1, { runnerId, has: [anEvent()], calls: [...calls], sending, ...more });
  }

  const sendingsOf = ({ dispatchId }: CallRow) =>
    sent.filter(({ message }) => message.ticket.dispatchId === dispatchId);

  const firstOf = (call: CallRow) =>
    eventually(`the message of ${call.dispatchId}`, () => sendingsOf(call)[0]);

  /** A call that left while it is stored: until `release` is called, or the test ends. */
  async function aCallAhead(of: Partial<CallRow>) {
    const run = await aRun();
    const call = aCall(of);
    const release = await holdCommits(ground, cleanup, 'adk_tool_calls');
    let isAnswered = false;
    const answered = appendTo(ground, unitOf(run, [call])).finally(() => (isAnswered = true));
    const { message, msgId } = await firstOf(call);
    expect([isAnswered, await statusOfCall(ground, call.dispatchId)]).toEqual([false, undefined]);
    return { run, call, release, answered, message, ticket: message.ticket, msgId };
  }

  return { spec, ground, cleanup, aRun, unitOf, sendingsOf, firstOf, aCallAhead };
}
