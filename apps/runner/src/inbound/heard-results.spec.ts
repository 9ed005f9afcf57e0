import { aHandover, aPipeline, aResult, aTicket, FakeStore } from '../../test/builders';
import { ActiveRun } from '../run/active-run';
import { HeardResults } from './heard-results';

const STEP = '0/agent.0/tools.0';

/** A runner with one run, in which a call waits for its result. */
function aRunner() {
  const store = new FakeStore();
  const run = new ActiveRun(aHandover());
  const pipeline = aPipeline(store);
  run.pipeline = pipeline;
  const expected = run.pendingCalls.expect('d-1', STEP);
  run.pendingCalls.permit({ ticket: aTicket('d-1'), tool: 'weather' });
  const get = (invocationId: string) => (invocationId === run.invocationId ? run : undefined);
  const leases = { enforce: (): void => undefined };
  return { run, expected, pipeline, leases, heard: new HeardResults({ get }, leases) };
}

describe('results that are heard', () => {
  it('settle their calls, and are remembered once their response is stored', async () => {
    const { expected, pipeline, heard } = aRunner();

    heard.take(aResult('d-1'));
    await expected;
    const other = aResult('d-1', { execution: { worker: 'worker-2', pid: 8, attempt: 2, durationMs: 3 } });
    const isAppliedBefore = heard.isApplied(aResult('d-1'));
    pipeline.stageApplied(['d-1']);
    await pipeline.whenApplied('d-1');
    await pipeline.stored();

    expect(isAppliedBefore).toBe(false);
    expect([heard.isApplied(aResult('d-1')), heard.isApplied(other)]).toEqual([true, false]);
  });

  it('leave a failure to session-svc, which decides whether it is tried again', () => {
    const { run, heard } = aRunner();
    const failed = { kind: 'error', code: 'tool.failed', message: 'no' } as const;

    heard.take(aResult('d-1', { outcome: failed, retry: {} }));

    expect(run.pendingCalls.settle(aResult('d-1'))).toBe('first');
  });

  it('row 9: leave one that no event could hold to session-svc, which ends its call', () => {
    const { run, heard } = aRunner();
    let value: unknown = 1;
    for (let level = 0; level < 57; level++) value = [value];

    heard.take(aResult('d-1', { outcome: { kind: 'result', value } }));
    heard.take(aResult('d-1', { actions: { ...aResult('d-1').actions, stateDelta: { value } } }));

    expect(run.pendingCalls.settle(aResult('d-1'))).toBe('first');
  });

  it('row 8: are not taken by a runner that was stopped for longer than its leases hold', () => {
    const { run, leases, heard } = aRunner();
    leases.enforce = () => run.stop('its lease could not be renewed');

    heard.take(aResult('d-1'));

    expect(run.pendingCalls.wasHeard(aResult('d-1'))).toBe(false);
  });

  it('are not taken for a run that was stopped, nor for one that is not here', () => {
    const { run, heard } = aRunner();
    run.stop('a test');

    heard.take(aResult('d-1'));
    heard.take(aResult('d-1', { invocationId: 'e-other' }));

    expect(run.pendingCalls.settle(aResult('d-1'))).toBe('first');
  });
});
