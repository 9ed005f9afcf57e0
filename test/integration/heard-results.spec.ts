import { jetstreamManager } from '@nats-io/jetstream';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  Cleanup,
  handoverOf,
  publishResultFor,
  resultOf,
  type ServiceGround,
  startFakeRunner,
  startServiceGround,
  statusOfCall,
  submitTo,
} from './session-svc-harness';

let ground: ServiceGround;
const cleanup = new Cleanup();

beforeAll(async () => {
  ground = await startServiceGround();
  cleanup.add(() => ground.stop());
  const service = await ground.startService();
  cleanup.add(() => service.stop());
}, 60_000);
afterAll(() => cleanup.run());

describe('a result that its runner hears', () => {
  it('is left to that runner, and brought to it where it has not applied it', async () => {
    const runner = await startFakeRunner(ground, cleanup);
    const handover = await handoverOf(runner, await submitTo(ground, aKey()));
    const [heard, missed] = [aCall(), aCall()];
    const { tickets } = await appendTo(
      ground,
      aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [heard, missed] }),
    );

    const applying = appendTo(
      ground,
      aUnit(handover, 2, { runnerId: runner.runnerId, has: [anEvent()], appliedCalls: [heard.dispatchId] }),
    );
    await publishResultFor(ground, runner, handover, tickets[0]);
    await publishResultFor(ground, runner, handover, tickets[1]);
    await applying;

    await resultOf(runner, missed);
    expect(runner.results.map(({ ticket }) => ticket.dispatchId)).toEqual([missed.dispatchId]);
    expect(await statusOfCall(ground, heard.dispatchId)).toBe('done');
    await eventually('both to be acked', async () => {
      const { state } = await (await jetstreamManager(ground.connection.nats)).streams.info('RESULTS');
      return state.messages === 0 || undefined;
    });
  });
});
