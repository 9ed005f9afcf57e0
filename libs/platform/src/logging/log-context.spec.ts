import { setTimeout as delay } from 'node:timers/promises';
import { followWork, withWorkIds, workIds, workIdsOf } from './log-context';

describe('the ids of the work that is done', () => {
  it('are not followed before they are asked for, where that costs each promise', () => {
    const isFree = Number.parseInt(process.versions.node, 10) >= 24;

    expect(withWorkIds({ sessionId: 's' }, workIds)).toEqual(isFree ? { sessionId: 's' } : {});
  });

  it('are there for all that it began, and for nothing else, once they were asked for', async () => {
    followWork();
    const seen = await Promise.all(
      ['a', 'b'].map((sessionId) =>
        withWorkIds({ sessionId }, async () => {
          await delay(1);
          return workIds();
        }),
      ),
    );

    expect(seen).toEqual([{ sessionId: 'a' }, { sessionId: 'b' }]);
    expect(workIds()).toEqual({});
  });

  it.each([
    [
      { appName: 'a', sessionId: 's', userId: 'u', text: 'x' },
      { appName: 'a', sessionId: 's' },
    ],
    [
      { kind: 'run', handover: { appName: 'a', invocationId: 'e-1' } },
      { appName: 'a', invocationId: 'e-1' },
    ],
    [
      { kind: 'result', result: { sessionId: 's' }, invocationId: 'e-2' },
      { sessionId: 's', invocationId: 'e-2' },
    ],
    [{ sessionUid: 'u', seq: 1, event: { invocationId: 'e-3' } }, { invocationId: 'e-3' }],
    [{ appName: 7, handover: null }, {}],
    ['text', {}],
    [null, {}],
  ])('are read from the message %j', (body, ids) => {
    expect(workIdsOf(body)).toEqual(ids);
  });
});
