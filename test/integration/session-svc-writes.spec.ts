import { type SessionHead, sessionHeadSchema, subjects, type WorkMessage } from '@skein/contracts';
import { RemoteSessionService } from '@skein/session-client';
import { randomUUID } from 'node:crypto';
import { sharedServices } from './session-services';
import { aKey, anEvent, anEventWithDelta, aUnit, eventually } from './session-store-harness';
import { appendTo, follow, handoverOf, startFakeRunner, submitTo } from './session-svc-harness';

const { ground, cleanup } = sharedServices({ SWEEP_MS: '200' });

function ask(verb: 'write' | 'rewind', body: object): Promise<SessionHead> {
  return ground.rpc.request(subjects.sessionRpc(verb), sessionHeadSchema, body, { timeoutMs: 5_000 });
}

describe('writes from outside a run, over session-svc', () => {
  it('are published in order with the events of the run, and told to its runner before they are answered', async () => {
    const told: WorkMessage[] = [];
    const runner = await startFakeRunner(ground, cleanup, undefined, (message) => {
      told.push(message);
      return message.kind === 'run' ? 'accepted' : 'applied';
    });
    const key = aKey();
    const messages = await follow(ground, cleanup, key);
    const handover = await handoverOf(runner, await submitTo(ground, key));
    const { runnerId } = runner;
    await appendTo(ground, aUnit(handover, 1, { runnerId, has: [anEvent()] }));

    const event = { ...anEventWithDelta({ a: 1 }), author: 'user', invocationId: 'p-1' };
    const head = await ask('write', { ...key, event });

    expect(head).toEqual({ lastSeq: 2 });
    expect(told.at(-1)).toEqual({
      kind: 'written',
      invocationId: handover.invocationId,
      epoch: handover.epoch,
      lastSeq: 2,
    });
    const { lastSeq } = await appendTo(
      ground,
      aUnit(handover, 2, { runnerId, has: [anEvent()], finish: { status: 'completed' } }),
    );
    expect(lastSeq).toBe(3);
    await eventually('three events', () => (messages.length >= 3 ? true : undefined));
    expect(messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(messages[1]?.event).toEqual(event);
  });

  it('are answered although the runner is gone', async () => {
    const runner = await startFakeRunner(ground, cleanup);
    const key = aKey();
    await handoverOf(runner, await submitTo(ground, key));
    await runner.stop();

    expect(await ask('write', { ...key, event: anEventWithDelta({ a: 1 }) })).toEqual({ lastSeq: 1 });
  });

  it('take a session back, and publish that', async () => {
    const key = aKey();
    const sessions = new RemoteSessionService(ground.rpc);
    const first = { ...anEventWithDelta({ a: 1 }), invocationId: 'e-1' };
    await sessions.createSession({ ...key, state: { a: 0 }, events: [first] });
    const messages = await follow(ground, cleanup, key);

    const head = await ask('rewind', { ...key, rewindBeforeInvocationId: 'e-1', eventId: randomUUID() });

    expect(head).toEqual({ lastSeq: 2 });
    expect((await sessions.getSession(key))?.state).toEqual({ a: 0 });
    await eventually('the rewind event', () => messages.find(({ seq }) => seq === 2));
    expect(messages.at(-1)?.event.actions).toMatchObject({
      rewindBeforeInvocationId: 'e-1',
      stateDelta: { a: 0 },
    });
  });
});
