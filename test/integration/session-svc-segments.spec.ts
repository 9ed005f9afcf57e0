import { runPointerSchema } from '@skein/contracts';
import { asking, responses } from './segments-harness';
import { servicePerTest } from './session-services';
import { aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  consume,
  followPartials,
  handoverOf,
  startFakeRunner,
  submitTo,
} from './session-svc-harness';

const { ground, cleanup } = servicePerTest({ SWEEP_MS: '200' });

const aRunner = () => startFakeRunner(ground, cleanup);

describe('session-svc and the segments of an invocation', () => {
  it('hands the answer to a call to the runner that asked, as the next segment (B47)', async () => {
    const runner = await aRunner();
    const key = aKey();
    const frames = await followPartials(ground, cleanup, key);
    const first = await handoverOf(runner, await submitTo(ground, key));
    await appendTo(
      ground,
      aUnit(first, 1, { runnerId: runner.runnerId, has: [asking('c1')], finish: { status: 'waiting' } }),
    );

    const answered = await submitTo(ground, { ...key, newMessage: responses('c1') });
    const second = await handoverOf(runner, first, 1);
    await appendTo(
      ground,
      aUnit(second, 1, { runnerId: runner.runnerId, has: [anEvent()], finish: { status: 'completed' } }),
    );

    const { invocationId } = first;
    expect(answered).toMatchObject({ invocationId, segment: 1, afterSeq: 1 });
    expect(second).toMatchObject({ invocationId, segment: 1, epoch: 2, baseSeq: 1, fromSeq: 1 });
    await eventually('both ends', () => frames[1]);
    expect(frames).toEqual([
      { kind: 'end', invocationId, segment: 0, status: 'waiting', afterSeq: 1 },
      { kind: 'end', invocationId, segment: 1, status: 'completed', afterSeq: 2 },
    ]);
  });

  it('hands the next segment over at once when its answer came early', async () => {
    const runner = await aRunner();
    const key = aKey();
    const first = await handoverOf(runner, await submitTo(ground, key));
    await appendTo(ground, aUnit(first, 1, { runnerId: runner.runnerId, has: [asking('c1')] }));

    await submitTo(ground, { ...key, newMessage: responses('c1') });
    await appendTo(ground, aUnit(first, 2, { runnerId: runner.runnerId, finish: { status: 'waiting' } }));

    const second = await handoverOf(runner, first, 1);
    expect(second).toMatchObject({ invocationId: first.invocationId, segment: 1, epoch: 2 });
  });

  it('points to an answered invocation anew when no runner has credit', async () => {
    const pointers: string[] = [];
    cleanup.add(
      await consume(ground, 'RUNS', runPointerSchema, ({ invocationId }) => pointers.push(invocationId)),
    );
    const key = aKey();
    const { invocationId } = await submitTo(ground, key);
    await eventually('the first pointer', () => pointers.find((id) => id === invocationId));
    const runner = await aRunner();
    const first = await handoverOf(runner, { invocationId });
    await runner.setCredit(0);
    await appendTo(
      ground,
      aUnit(first, 1, { runnerId: runner.runnerId, has: [asking('c1')], finish: { status: 'waiting' } }),
    );
    await runner.stop();
    pointers.length = 0;

    await submitTo(ground, { ...key, newMessage: responses('c1') });

    await eventually('the second pointer', () => pointers.find((id) => id === invocationId));
  });
});
