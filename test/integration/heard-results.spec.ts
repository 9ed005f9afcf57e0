import { jetstreamManager } from '@nats-io/jetstream';
import { sharedServices } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  handoverOf,
  publishResultFor,
  resultOf,
  startFakeRunner,
  statusOfCall,
  submitTo,
} from './session-svc-harness';

const { ground, cleanup } = sharedServices();

describe('a result that its runner hears', () => {
  it('is left to that runner once it has applied it, and brought to it where it has not', async () => {
    const runner = await startFakeRunner(ground, cleanup);
    const handover = await handoverOf(runner, await submitTo(ground, aKey()));
    const [heard, missed] = [aCall(), aCall()];
    const { tickets } = await appendTo(
      ground,
      aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [heard, missed] }),
    );

    await appendTo(
      ground,
      aUnit(handover, 2, {
        ...{ runnerId: runner.runnerId, has: [anEvent()], appliedCalls: [heard.dispatchId] },
        answered: [{ dispatchId: heard.dispatchId, attempt: '1.1' }],
      }),
    );
    await publishResultFor(ground, runner, handover, tickets[0]);
    await publishResultFor(ground, runner, handover, tickets[1]);

    await resultOf(runner, missed);
    expect(runner.results.map(({ ticket }) => ticket.dispatchId)).toEqual([missed.dispatchId]);
    expect(await statusOfCall(ground, heard.dispatchId)).toBe('done');
    await eventually('both to be acked', async () => {
      const { state } = await (await jetstreamManager(ground.connection.nats)).streams.info('RESULTS');
      return state.messages === 0 || undefined;
    });
  });
});
