import { AdkError } from '@skein/contracts';
import { type RpcClient } from '@skein/messaging';
import { RemoteArtifactMetadata } from './remote-artifact-metadata';
import { RemoteMemoryService } from './remote-memory-service';

// Fake timers do not reach what this module exports.
jest.mock('node:timers/promises', () => ({
  setTimeout: (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs)),
}));

const away = new AdkError('unavailable', 'rpc.no-responders', 'nobody answers');
const key = { appName: 'app', userId: 'ada', sessionId: 's' };

/** A session-svc that is away for so many requests. */
function aClient(failures: number, answer: unknown) {
  const asked: string[] = [];
  const request = async (subject: string): Promise<unknown> => {
    asked.push(subject);
    if (asked.length <= failures) throw away;
    return answer;
  };
  // The services use nothing else of it.
  return { asked, rpc: { request } as unknown as RpcClient };
}

describe('what tools ask session-svc', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is asked again while nobody is there', async () => {
    const artifacts = aClient(5, ['a.txt']);
    const memory = aClient(5, { memories: [] });

    const found = Promise.all([
      new RemoteArtifactMetadata(artifacts.rpc).list(key),
      new RemoteMemoryService(memory.rpc).searchMemory({ ...key, query: 'tea' }),
    ]);
    await jest.advanceTimersByTimeAsync(2_000);

    expect(await found).toEqual([['a.txt'], { memories: [] }]);
    expect([artifacts.asked, memory.asked].map(({ length }) => length)).toEqual([6, 6]);
  });

  it('is given up after a while, with the reason', async () => {
    const { rpc, asked } = aClient(Infinity, undefined);
    const begunMs = performance.now();

    const refused = new RemoteArtifactMetadata(rpc, { patienceMs: 10_000 })
      .list(key)
      .catch((error: unknown) => ({
        error,
        afterMs: performance.now() - begunMs,
      }));
    await jest.advanceTimersByTimeAsync(60_000);

    const { error, afterMs } = (await refused) as { error: unknown; afterMs: number };
    expect(error).toBe(away);
    expect(afterMs).toBeGreaterThanOrEqual(10_000);
    expect(afterMs).toBeLessThan(12_001);
    expect(asked.length).toBeGreaterThan(6);
  });
});
