import { setImmediate as turn } from 'node:timers/promises';
import { AdkError } from '@skein/contracts';
import { aHandover, aPipeline, appendedFor, aResult, aTicket, FakeStore, gate } from '../../test/builders';
import { ActiveRun } from '../run/active-run';
import { TakenResults } from './taken-results';

const STEP = '0/agent.0/tools.0';
const applied = { disposition: 'applied' };
const unknown = { disposition: 'unknown' };

/** A runner with one run, in which a call waits for its result. */
function aRunner() {
  const store = new FakeStore();
  const run = new ActiveRun(aHandover());
  const pipeline = aPipeline(store);
  run.pipeline = pipeline;
  const expected = run.pendingCalls.expect('d-1', STEP);
  const permit = (): void => run.pendingCalls.permit({ ticket: aTicket('d-1'), tool: 'weather' });
  permit();
  const get = (invocationId: string) => (invocationId === run.invocationId ? run : undefined);
  const leases = { enforce: (): void => undefined };
  return { store, run, expected, pipeline, permit, leases, taken: new TakenResults({ get }, leases) };
}

/** What has become of it by now. */
function watched<T>(promise: Promise<T>): { current?: T } {
  const seen: { current?: T } = {};
  promise.then(
    (value) => (seen.current = value),
    () => undefined,
  );
  return seen;
}

describe('a result that this runner is asked to take', () => {
  it('is said to be applied only once its response event is stored', async () => {
    const { store, expected, pipeline, taken } = aRunner();
    const stored = gate();
    store.answer = (unit) => stored.opened.then(() => appendedFor(unit));

    const answer = taken.take(aResult('d-1'));
    const seen = watched(answer);
    await expected;
    pipeline.stageApplied(['d-1']);
    while (store.sent.length === 0) await turn();
    await turn();
    expect(seen.current).toBeUndefined();
    stored.open();

    expect(await answer).toEqual(applied);
  });

  it('is remembered, and the same said of it again, also when its run is over', async () => {
    const { expected, pipeline, run, taken } = aRunner();
    const answer = taken.take(aResult('d-1'));
    await expected;
    pipeline.stageApplied(['d-1']);
    await answer;
    const other = aResult('d-1', { execution: { worker: 'worker-2', pid: 8, attempt: 2, durationMs: 3 } });

    run.stop('it is over');

    expect(await taken.take(aResult('d-1'))).toEqual(applied);
    expect([taken.isApplied(aResult('d-1')), taken.isApplied(other)]).toEqual([true, false]);
  });

  it('is no applied one where another of the call came first', async () => {
    const { expected, pipeline, run, taken } = aRunner();
    run.pendingCalls.settle(aResult('d-1'));
    await expected;
    pipeline.stageApplied(['d-1']);

    expect(await taken.take(aResult('d-1'))).toEqual(unknown);
  });

  it('that comes before its ticket is known is applied when that fits it, and else is not', async () => {
    const { expected, pipeline, run, taken } = aRunner();
    void run.pendingCalls.expect('d-2', STEP);
    void run.pendingCalls.expect('d-3', STEP);

    const [answer, forged] = ['d-2', 'd-3'].map((id) => taken.take(aResult(id)));
    run.pendingCalls.permit({ ticket: aTicket('d-2'), tool: 'weather' });
    run.pendingCalls.permit({ ticket: { ...aTicket('d-3'), hmac: 'another' }, tool: 'weather' });
    run.pendingCalls.settle(aResult('d-1'));
    await expected;
    pipeline.stageApplied(['d-1', 'd-2', 'd-3']);

    expect([await answer, await forged]).toEqual([applied, unknown]);
  });

  it('is unknown after 80 ms, before its worker gives up, and remembered as applied where that is stored later', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { expected, pipeline, taken } = aRunner();
      const answer = taken.take(aResult('d-1'));
      const seen = watched(answer);
      await expected;
      await jest.advanceTimersByTimeAsync(79);
      expect(seen.current).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      expect(seen.current).toEqual(unknown);

      pipeline.stageApplied(['d-1']);
      await pipeline.stored();
      await turn();

      expect(taken.isApplied(aResult('d-1'))).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is unknown at once where its unit is refused, or its run is stopped meanwhile', async () => {
    const fenced = aRunner();
    fenced.store.answer = () => Promise.reject(new AdkError('conflict', 'append.fenced', 'another owns it'));
    const stopped = aRunner();

    const answers = [fenced.taken.take(aResult('d-1')), stopped.taken.take(aResult('d-1'))];
    await fenced.expected;
    fenced.pipeline.stageApplied(['d-1']);
    stopped.run.stop('this runner is going away');

    expect(await Promise.all(answers)).toEqual([unknown, unknown]);
    expect(fenced.taken.isApplied(aResult('d-1'))).toBe(false);
  });

  it('leaves a failure to session-svc, which decides whether it is tried again', async () => {
    const { run, taken } = aRunner();
    const failed = { kind: 'error', code: 'tool.failed', message: 'no' } as const;

    expect(await taken.take(aResult('d-1', { outcome: failed, retry: {} }))).toEqual(unknown);
    expect(run.pendingCalls.settle(aResult('d-1'))).toBe('first');
  });

  it('row 9: leaves what no event could hold to session-svc, which ends its call', async () => {
    const { run, taken } = aRunner();
    let value: unknown = 1;
    for (let level = 0; level < 57; level++) value = [value];
    const { actions } = aResult('d-1');

    const answers = [
      await taken.take(aResult('d-1', { outcome: { kind: 'result', value } })),
      await taken.take(aResult('d-1', { actions: { ...actions, stateDelta: { value } } })),
    ];

    expect(answers).toEqual([unknown, unknown]);
    expect(run.pendingCalls.settle(aResult('d-1'))).toBe('first');
  });

  it('row 8: is not taken by a runner that was stopped for longer than its leases hold', async () => {
    const { run, leases, taken } = aRunner();
    leases.enforce = () => run.stop('its lease could not be renewed');

    expect(await taken.take(aResult('d-1'))).toEqual(unknown);
    expect(run.pendingCalls.wasHeard(aResult('d-1'))).toBe(false);
  });

  it('is not taken for a run that was stopped, nor for one that is not here, nor with another ticket', async () => {
    const { run, taken } = aRunner();
    const ticket = { ...aTicket('d-1'), hmac: 'forged' };

    const answers = [
      await taken.take(aResult('d-1', { invocationId: 'e-other' })),
      await taken.take(aResult('d-1', { ticket })),
    ];
    run.stop('a test');
    answers.push(await taken.take(aResult('d-1')));

    expect(answers).toEqual([unknown, unknown, unknown]);
    expect(run.pendingCalls.settle(aResult('d-1'))).toBe('first');
  });
});
