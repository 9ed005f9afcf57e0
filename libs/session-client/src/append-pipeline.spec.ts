import { AdkError, type Appended, type AppendUnit } from '@skein/contracts';
import { anEvent, pipelineTo } from '../test/builders';
import { AppendUnitClient, type UnitWay } from './append-unit-client';

/** A store that keeps what it was sent and answers when told to. */
class FakeStore extends AppendUnitClient {
  readonly sent: AppendUnit[] = [];
  answer: (unit: AppendUnit) => Promise<Appended> = async (unit) => answerTo(unit);

  readonly ways: UnitWay[] = [];

  override append(unit: AppendUnit, way: UnitWay): Promise<Appended> {
    this.sent.push(structuredClone(unit));
    this.ways.push(way);
    return this.answer(unit);
  }
}

function answerTo(unit: AppendUnit): Appended {
  return { lastSeq: 10 * unit.appendNo, tickets: [], cancelRequested: false };
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('AppendPipeline', () => {
  it('sends what is staged in one turn of the event loop as one unit', async () => {
    const store = new FakeStore();
    const pipeline = pipelineTo(store);

    pipeline.stageEvent({ stepKey: '0/user.0', event: anEvent('a') });
    await Promise.resolve();
    pipeline.stageEvent({ stepKey: '0/agent.0/model.0', event: anEvent('b') });
    await pipeline.finish({ status: 'completed' });

    expect(store.sent).toHaveLength(1);
    expect(store.sent[0]).toMatchObject({ appendNo: 1, epoch: 3, finish: { status: 'completed' } });
    expect(store.sent[0]?.events.map(({ event }) => event.id)).toEqual(['a', 'b']);
    expect(pipeline.lastSeq).toBe(10);
  });

  it('sends what is stored after a streamed piece behind it, so that readers have the piece first', async () => {
    const store = new FakeStore();
    const pipeline = pipelineTo(store);

    pipeline.stageEvent({ stepKey: '0/user.0', event: anEvent('a') });
    await pipeline.stored();
    pipeline.followSent();
    pipeline.stageEvent({ stepKey: '0/agent.0/model.0', event: anEvent('b') });
    await pipeline.finish({ status: 'completed' });

    expect(store.ways.map(({ behindSent }) => behindSent)).toEqual([false, true]);
  });

  it('does not wait for the unit before, and numbers them in the order of staging', async () => {
    const store = new FakeStore();
    const answers: (() => void)[] = [];
    store.answer = (unit) => new Promise((resolve) => answers.push(() => resolve(answerTo(unit))));
    const pipeline = pipelineTo(store);

    pipeline.stageEvent({ stepKey: '0/user.0', event: anEvent('a') });
    await nextTurn();
    pipeline.stageEvent({ stepKey: '0/agent.0/model.0', event: anEvent('b') });
    await nextTurn();

    expect(store.sent.map(({ appendNo }) => appendNo)).toEqual([1, 2]);
    answers.forEach((answer) => answer());
    await pipeline.stored();
  });

  it('sends a unit again, as it was, when its outcome is unknown', async () => {
    const store = new FakeStore();
    store.answer = async (unit) => {
      if (store.sent.length === 1) throw new AdkError('deadline', 'rpc.deadline', 'no answer in time');
      return answerTo(unit);
    };
    const pipeline = pipelineTo(store);

    pipeline.stageEvent({ stepKey: '0/user.0', event: anEvent('a') });
    await pipeline.stored();

    expect(store.sent).toHaveLength(2);
    expect(store.sent[1]).toEqual(store.sent[0]);
  });

  it('sends nothing more after it was fenced, and everything staged later rejects', async () => {
    const store = new FakeStore();
    store.answer = () =>
      Promise.reject(new AdkError('conflict', 'append.fenced', 'another runner owns the session'));
    const pipeline = pipelineTo(store);

    pipeline.stageEvent({ stepKey: '0/user.0', event: anEvent('a') });
    await expect(pipeline.stored()).rejects.toMatchObject({ code: 'append.fenced' });
    pipeline.stageEvent({ stepKey: '0/agent.0/model.0', event: anEvent('b') });

    await expect(pipeline.stored()).rejects.toMatchObject({ code: 'append.fenced' });
    expect(store.sent).toHaveLength(1);
  });

  it('tells when a call was applied, to whoever asked before and after', async () => {
    const pipeline = pipelineTo(new FakeStore());
    const asked = pipeline.whenApplied('d-1');

    pipeline.stageEvent({ stepKey: '0/agent.0/tools.0', event: anEvent('a') });
    pipeline.stageApplied(['d-1']);

    await expect(asked).resolves.toBeUndefined();
    await expect(pipeline.whenApplied('d-1')).resolves.toBeUndefined();
  });

  it('does not ask for ever after a unit whose predecessor was refused', async () => {
    const store = new FakeStore();
    let refuseFirst: (error: Error) => void = () => undefined;
    store.answer = (unit) =>
      unit.appendNo === 1
        ? new Promise((_resolve, reject) => (refuseFirst = reject))
        : Promise.reject(
            new AdkError('unavailable', 'append.predecessor-missing', 'the one before is missing'),
          );
    const pipeline = pipelineTo(store);
    pipeline.stageEvent({ stepKey: '0/user.0', event: anEvent('a') });
    await nextTurn();
    pipeline.stageEvent({ stepKey: '0/agent.0/model.0', event: anEvent('b') });
    await nextTurn();

    refuseFirst(new AdkError('invalid', 'append.data', 'refused for what it holds'));

    await expect(pipeline.stored()).rejects.toMatchObject({ code: 'append.data' });
    await pipeline.reopen();
    store.answer = async (unit) => answerTo(unit);
    await pipeline.finish({ status: 'failed', error: { code: 'append.data', message: 'refused' } });
    expect(store.sent.at(-1)).toMatchObject({ appendNo: 1, finish: { status: 'failed' } });
  });

  it('stores a failure under the number of the unit that was refused, once reopened', async () => {
    const store = new FakeStore();
    store.answer = async (unit) => {
      if (unit.events.length > 0) throw new AdkError('invalid', 'append.data', 'refused for what it holds');
      return answerTo(unit);
    };
    const pipeline = pipelineTo(store);
    pipeline.stageEvent({ stepKey: '0/user.0', event: anEvent('a') });
    await expect(pipeline.finish({ status: 'completed' })).rejects.toMatchObject({ code: 'append.data' });

    await pipeline.reopen();
    await pipeline.finish({ status: 'failed', error: { code: 'append.data', message: 'refused' } });

    expect(store.sent.map(({ appendNo }) => appendNo)).toEqual([1, 1]);
    expect(store.sent[1]).toMatchObject({ events: [], finish: { status: 'failed' } });
  });
});
