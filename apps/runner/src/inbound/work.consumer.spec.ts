import { AdkError, type Renew } from '@skein/contracts';
import { type AppendPipeline } from '@skein/session-client';
import { aHandover, aPipeline, appendedFor, aResult, FakeStore, gate } from '../../test/builders';
import { anEvent, aSession } from '@skein/testing';
import { ActiveRun } from '../run/active-run';
import { ActiveRuns } from '../run/active-runs';
import { ForeignEvents } from '../run/foreign-events';
import { WorkConsumer } from './work.consumer';

const STEP = '0/agent.0/tools.0';

/** A runner with one run that lasts. */
function aConsumer({ pipeline }: { readonly pipeline?: AppendPipeline } = {}) {
  const runs = new ActiveRuns(1);
  const work = (): Promise<void> => new Promise(() => undefined);
  const run = new ActiveRun(aHandover());
  run.pipeline = pipeline;
  runs.begin(run, work);
  return { consumer: consumerOf({ runs, work }), run, runs };
}

function consumerOf(over: Partial<ConstructorParameters<typeof WorkConsumer>[0]> = {}): WorkConsumer {
  return new WorkConsumer({
    runnerId: 'runner-1',
    runs: new ActiveRuns(1),
    taken: { isApplied: () => false },
    rpc: { renew: () => Promise.reject(new Error('nobody should ask')) },
    leases: { enforce: () => undefined },
    absence: { wasLately: () => false },
    cache: { reaches: () => true },
    work: () => new Promise(() => undefined),
    ...over,
  });
}

const result = (dispatchId: string) => ({ kind: 'result', result: aResult(dispatchId) }) as const;

describe('WorkConsumer', () => {
  it('accepts a run while it has credit, and refuses it then', async () => {
    const consumer = consumerOf();
    const run = (invocationId: string) => ({ kind: 'run', handover: aHandover({ invocationId }) }) as const;

    expect(await consumer.handle(run('e-1'))).toEqual({ disposition: 'accepted' });
    expect(await consumer.handle(run('e-2'))).toEqual({ disposition: 'refused' });
  });

  describe('a guess', () => {
    const guess = (invocationId: string) =>
      ({ kind: 'guess', handover: aHandover({ invocationId }) }) as const;

    it('is begun where the log is here as it says, with credit, and its units say what they are of', async () => {
      const runs = new ActiveRuns(1);
      const asked: unknown[] = [];
      const reaches = (sessionUid: string, seq: number) => asked.push([sessionUid, seq]) > 0;
      const consumer = consumerOf({ runs, cache: { reaches } });

      expect(await consumer.handle(guess('e-1'))).toEqual({ disposition: 'accepted' });
      expect(await consumer.handle(guess('e-2'))).toEqual({ disposition: 'refused' });

      expect(asked[0]).toEqual(['uid', 0]);
      expect(runs.list()).toMatchObject([{ invocationId: 'e-1', isGuessed: true }]);
    });

    it.each([
      ['where its session’s log is not here, or has gone on', { cache: { reaches: () => false } }],
      ['that may have been read late', { absence: { wasLately: () => true } }],
    ])('is not begun %s', async (_what, over) => {
      const runs = new ActiveRuns(1);

      expect(await consumerOf({ runs, ...over }).handle(guess('e-1'))).toEqual({ disposition: 'unknown' });
      expect(runs.list()).toEqual([]);
    });

    it('that is withdrawn leaves its place before that is answered; a claim is not ended so, nor one of another epoch', async () => {
      const runs = new ActiveRuns(2);
      const work = async ({ stopSignal }: ActiveRun) => {
        while (!stopSignal.aborted) await new Promise((resolve) => setImmediate(resolve));
      };
      const consumer = consumerOf({ runs, work });
      await consumer.handle(guess('e-1'));
      await consumer.handle({ kind: 'run', handover: aHandover({ invocationId: 'e-2' }) });
      const withdrawn = (invocationId: string, epoch = 1) =>
        consumer.handle({ kind: 'withdrawn', invocationId, epoch });

      for (const [id, epoch] of [
        ['e-1', 2],
        ['e-2', 1],
        ['e-3', 1],
      ] as const) {
        expect(await withdrawn(id, epoch)).toEqual({ disposition: 'unknown' });
      }
      expect(runs.credit).toBe(0);
      expect(await withdrawn('e-1')).toEqual({ disposition: 'accepted' });

      expect(runs.credit).toBe(1);
      expect(runs.list().map(({ invocationId }) => invocationId)).toEqual(['e-2']);
    });

    it('and the hand-over of the same claim are one run', async () => {
      const runs = new ActiveRuns(2);
      const consumer = consumerOf({ runs });

      await consumer.handle(guess('e-1'));
      const again = await consumer.handle({ kind: 'run', handover: aHandover({ invocationId: 'e-1' }) });

      expect(again).toEqual({ disposition: 'accepted' });
      expect(runs.list()).toHaveLength(1);
    });
  });

  it('row 8: runs a hand-over it may have read late only while the claim still stands', async () => {
    const runs = new ActiveRuns(2);
    const asked: unknown[] = [];
    const renew = async (renewal: Renew) => {
      asked.push(renewal);
      return { held: ['e-1'], cancelRequested: [] };
    };
    const consumer = consumerOf({ runs, rpc: { renew }, absence: { wasLately: () => true } });
    const run = (invocationId: string) => ({ kind: 'run', handover: aHandover({ invocationId }) }) as const;

    expect(await consumer.handle(run('e-1'))).toEqual({ disposition: 'accepted' });
    expect(await consumer.handle(run('e-2'))).toEqual({ disposition: 'refused' });

    expect(runs.list().map(({ invocationId }) => invocationId)).toEqual(['e-1']);
    expect(asked[0]).toEqual({ runnerId: 'runner-1', leases: [{ invocationId: 'e-1', epoch: 1 }] });
  });

  it('row 8: takes no result that it may have read late for a run whose lease does not hold any more', async () => {
    const { run, runs } = aConsumer();
    void run.pendingCalls.expect('d-1', STEP);
    const consumer = consumerOf({ runs, leases: { enforce: () => run.stop('its lease is in doubt') } });

    expect(await consumer.handle(result('d-1'))).toEqual({ disposition: 'unknown' });
    expect(run.pendingCalls.settle(aResult('d-1'))).toBe('first');
  });

  it('does not know a run it does not have, nor a call that nobody waits for', async () => {
    const { consumer } = aConsumer();
    const strange = { kind: 'result', result: aResult('d-1', { invocationId: 'e-other' }) } as const;

    const answers = [await consumer.handle(strange), await consumer.handle(result('d-1'))];

    expect(answers.map(({ disposition }) => disposition)).toEqual(['unknown', 'unknown']);
  });

  it('says applied of a result that came from its worker, also when its run is over', async () => {
    const consumer = consumerOf({ taken: { isApplied: ({ ticket }) => ticket.dispatchId === 'd-1' } });

    const answers = [await consumer.handle(result('d-1')), await consumer.handle(result('d-2'))];

    expect(answers).toEqual([{ disposition: 'applied' }, { disposition: 'unknown' }]);
  });

  it('says applied only once the response is stored', async () => {
    const store = new FakeStore();
    const stored = gate();
    store.answer = (unit) => stored.opened.then(() => appendedFor(unit));
    const pipeline = aPipeline(store);
    const { consumer, run } = aConsumer({ pipeline });
    void run.pendingCalls.expect('d-1', STEP).then(() => pipeline.stageApplied(['d-1']));
    let answered = false;

    const answer = consumer.handle(result('d-1')).finally(() => (answered = true));
    while (store.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    stored.open();

    expect(await answer).toEqual({ disposition: 'applied' });
  });

  it('row 41: takes no result for a run that was stopped, also when it is stopped meanwhile', async () => {
    const { consumer, run } = aConsumer({ pipeline: aPipeline(new FakeStore()) });
    void run.pendingCalls.expect('d-1', STEP);
    void run.pendingCalls.expect('d-2', '0/agent.0/tools.1');

    const underWay = consumer.handle(result('d-1'));
    run.stop('this runner is going away');

    expect(await underWay).toEqual({ disposition: 'unknown' });
    expect(await consumer.handle(result('d-2'))).toEqual({ disposition: 'unknown' });
  });

  it('row 10: holds a second result of a call, so that the store counts it as one', async () => {
    const pipeline = aPipeline(new FakeStore());
    const { consumer, run } = aConsumer({ pipeline });
    void run.pendingCalls.expect('d-1', STEP).then(() => pipeline.stageApplied(['d-1']));

    expect(await consumer.handle(result('d-1'))).toEqual({ disposition: 'applied' });
    expect(await consumer.handle(result('d-1'))).toEqual({ disposition: 'held', epoch: 1 });
  });

  it('holds a result while siblings of its turn are open', async () => {
    const { consumer, run } = aConsumer({ pipeline: aPipeline(new FakeStore()) });
    void run.pendingCalls.expect('d-1', STEP);
    void run.pendingCalls.expect('d-2', STEP);

    expect(await consumer.handle(result('d-1'))).toEqual({ disposition: 'held', epoch: 1 });
  });

  it('holds a result whose response was refused: the next owner finds it in the store', async () => {
    const store = new FakeStore();
    store.answer = () => Promise.reject(new AdkError('conflict', 'append.fenced', 'another owns it'));
    const pipeline = aPipeline(store);
    const { consumer, run } = aConsumer({ pipeline });
    void run.pendingCalls.expect('d-1', STEP).then(() => pipeline.stageApplied(['d-1']));

    expect(await consumer.handle(result('d-1'))).toEqual({ disposition: 'held', epoch: 1 });
  });

  it('holds a result when its response is not stored in time, before session-svc stops waiting', async () => {
    jest.useFakeTimers();
    try {
      const { consumer, run } = aConsumer({ pipeline: aPipeline(new FakeStore()) });
      void run.pendingCalls.expect('d-1', STEP);

      const answer = consumer.handle(result('d-1'));
      await jest.advanceTimersByTimeAsync(999);

      expect(await answer).toEqual({ disposition: 'held', epoch: 1 });
    } finally {
      jest.useRealTimers();
    }
  });

  it('hears of a write by others, and answers once its run has it', async () => {
    const { consumer, run } = aConsumer();
    const session = aSession();
    const patch = { seq: 1, event: anEvent({ actions: { stateDelta: { mood: 'bright' } } }) };
    const page = { sessionUid: 'uid', lastSeq: 1, events: [patch] };
    const rpc = { events: async () => page };
    run.foreignEvents = new ForeignEvents({ handover: run.handover, session, stored: [], rpc });
    const written = { kind: 'written', invocationId: run.invocationId, epoch: 1, lastSeq: 1 } as const;

    expect(await consumer.handle(written)).toEqual({ disposition: 'applied' });

    expect(session.state).toEqual({ mood: 'bright' });
    expect(await consumer.handle({ ...written, epoch: 2 })).toEqual({ disposition: 'unknown' });
  });

  it('does not know of a write to a run it has not opened, or does not have', async () => {
    const { consumer, run } = aConsumer();
    const written = { kind: 'written', invocationId: run.invocationId, epoch: 1, lastSeq: 1 } as const;

    expect(await consumer.handle(written)).toEqual({ disposition: 'unknown' });
    expect(await consumer.handle({ ...written, invocationId: 'e-other' })).toEqual({
      disposition: 'unknown',
    });
  });

  it('ends a run that is cancelled, and knows none of another claim', async () => {
    const { consumer, run } = aConsumer();
    const cancel = { kind: 'cancel', invocationId: run.invocationId, epoch: 1 } as const;

    expect(await consumer.handle({ ...cancel, epoch: 2 })).toEqual({ disposition: 'unknown' });
    expect(run.isCancelled).toBe(false);
    expect(await consumer.handle(cancel)).toEqual({ disposition: 'accepted' });
    expect([run.isCancelled, run.stopSignal.aborted]).toEqual([true, false]);
  });
});
