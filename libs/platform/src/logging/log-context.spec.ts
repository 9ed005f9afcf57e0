import { setTimeout as delay } from 'node:timers/promises';
import { noteWorkIds, withWorkIds, workIds, workIdsOf } from './log-context';

describe('the ids of the work that is done', () => {
  it('are there for all that it began, and for nothing else', async () => {
    const seen = await Promise.all(
      ['a', 'b'].map((sessionId) =>
        withWorkIds({ sessionId }, async () => {
          await delay(1);
          noteWorkIds({ invocationId: `of ${sessionId}` });
          await delay(1);
          return workIds();
        }),
      ),
    );

    expect(seen).toEqual([
      { sessionId: 'a', invocationId: 'of a' },
      { sessionId: 'b', invocationId: 'of b' },
    ]);
    expect(workIds()).toEqual({});
  });

  it('of a part are added to those of the whole, and do not outlive it', () => {
    const seen = withWorkIds({ appName: 'app', sessionId: 's' }, () => [
      withWorkIds({ invocationId: 'e-1', appName: undefined }, workIds),
      workIds(),
    ]);

    expect(seen).toEqual([
      { appName: 'app', sessionId: 's', invocationId: 'e-1' },
      { appName: 'app', sessionId: 's' },
    ]);
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
    [{ appName: 7, handover: null }, {}],
    ['text', {}],
    [null, {}],
  ])('are read from the message %j', (body, ids) => {
    expect(workIdsOf(body)).toEqual(ids);
  });

  it('noted outside of any work are nobody’s', () => {
    noteWorkIds({ sessionId: 's' });

    expect(workIds()).toEqual({});
  });
});
