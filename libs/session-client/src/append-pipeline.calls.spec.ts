import { AdkError, type Appended, type AppendUnit, type CallRow } from '@skein/contracts';
import { pipelineTo } from '../test/builders';
import { AppendUnitClient } from './append-unit-client';
import { type GivenContext } from './staged-call';

/** Keeps what it was sent, and refuses as often as it is told to. */
class RefusingStore extends AppendUnitClient {
  readonly sent: AppendUnit[] = [];

  constructor(private readonly refusals: AdkError[] = []) {
    super();
  }

  override async append(unit: AppendUnit): Promise<Appended> {
    this.sent.push(structuredClone(unit));
    const refusal = this.refusals.shift();
    if (refusal) throw refusal;
    return { lastSeq: 1, tickets: [], cancelRequested: false };
  }
}

function aCall(dispatchId: string): CallRow {
  return {
    ...{ dispatchId, stepKey: '0/root.0/tools.0', index: 0, callId: 'adk-1', agentName: 'root', tool: 'add' },
    ...{ pool: 'default', args: {}, policy: { timeoutMs: 1, maxAttempts: 1, sideEffect: 'once' } },
  };
}

const contextWith = (state: Record<string, unknown>): GivenContext => ({
  state,
  stateDelta: {},
  userContent: { role: 'user', parts: [{ text: 'hi' }] },
});

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('the calls of a unit', () => {
  it('are sent with the state in which the unit left, also when it is sent again', async () => {
    const store = new RefusingStore([new AdkError('unavailable', 'rpc.no-responders', 'nobody')]);
    const state: Record<string, unknown> = { n: 1 };

    const staged = pipelineTo(store).stageCall(aCall('d-1'), () => contextWith(state));
    state.n = 2;
    while (store.sent.length === 0) await new Promise((resolve) => void setImmediate(resolve));
    state.n = 3;
    await staged;

    expect(store.sent.map(({ sending }) => sending?.map((context) => context.state))).toEqual([
      [{ n: 2 }],
      [{ n: 2 }],
    ]);
  });

  it('are sent with the word by which the run knows their results, the same when they are sent again', async () => {
    const store = new RefusingStore([new AdkError('unavailable', 'rpc.no-responders', 'nobody')]);

    await pipelineTo(store).stageCall(aCall('d-1'), () => ({ ...contextWith({}), nonce: 'a word' }));

    const calls = [{ dispatchId: 'd-1', nonce: 'a word' }];
    expect(store.sent.map(({ sending }) => sending?.[0]?.calls)).toEqual([calls, calls]);
  });

  it('of agents with states of their own are sent each with its own', async () => {
    const store = new RefusingStore();
    const pipeline = pipelineTo(store);

    await Promise.all([
      pipeline.stageCall(aCall('d-1'), () => contextWith({ of: 'the run' })),
      pipeline.stageCall(aCall('d-2'), () => contextWith({ of: 'an agent that runs as a tool' })),
    ]);

    expect(store.sent[0]?.sending).toMatchObject([
      { state: { of: 'the run' }, calls: [{ dispatchId: 'd-1' }] },
      { state: { of: 'an agent that runs as a tool' }, calls: [{ dispatchId: 'd-2' }] },
    ]);
  });

  it('are not stored when they are not to be sent any more: nobody would ever run them, and they would keep their place', async () => {
    const store = new RefusingStore();
    const pipeline = pipelineTo(store);

    const [given, left] = await Promise.all([
      pipeline.stageCall(aCall('d-1'), () => contextWith({})),
      pipeline.stageCall(aCall('d-2'), () => undefined),
    ]);

    expect(store.sent.map(({ calls }) => calls.map(({ dispatchId }) => dispatchId))).toEqual([['d-1']]);
    expect([given, left]).toEqual([undefined, undefined]);
  });

  it('are stored without their state where the unit is too large with it', async () => {
    const store = new RefusingStore([new AdkError('invalid', 'payload.size', 'too large')]);
    const context = { ...contextWith({ much: 'x' }), stateDelta: { own: 1 } };

    await pipelineTo(store).stageCall(aCall('d-1'), () => context);

    const calls = [{ dispatchId: 'd-1', stateDelta: { own: 1 } }];
    expect(store.sent.map(({ appendNo }) => appendNo)).toEqual([1, 1]);
    expect(store.sent[1]?.sending).toEqual([{ userContent: context.userContent, calls }]);
  });

  it('are not sent smaller behind a unit that was refused: they would wait in vain for that one', async () => {
    const store = new RefusingStore();
    const answers: ((error: AdkError) => void)[] = [];
    store.append = (unit) => {
      store.sent.push(unit);
      return new Promise((_resolve, reject) => answers.push(reject));
    };
    const pipeline = pipelineTo(store);
    const first = pipeline.stageCall(aCall('d-1'), () => contextWith({}));
    await nextTurn();
    const second = pipeline.stageCall(aCall('d-2'), () => contextWith({ much: 'x' }));
    await nextTurn();

    answers[0]?.(new AdkError('invalid', 'append.bad', 'refused'));
    await expect(first).rejects.toMatchObject({ code: 'append.bad' });
    answers[1]?.(new AdkError('invalid', 'payload.size', 'too large'));

    await expect(second).rejects.toMatchObject({ code: 'append.bad' });
    expect(store.sent.map(({ appendNo }) => appendNo)).toEqual([1, 2]);
  });

  it('fail with a unit that is too large without it', async () => {
    const tooLarge = () => new AdkError('invalid', 'payload.size', 'too large');
    const store = new RefusingStore([tooLarge(), tooLarge()]);

    const staged = pipelineTo(store).stageCall(aCall('d-1'), () => contextWith({}));

    await expect(staged).rejects.toMatchObject({ code: 'payload.size' });
    expect(store.sent).toHaveLength(2);
  });
});
