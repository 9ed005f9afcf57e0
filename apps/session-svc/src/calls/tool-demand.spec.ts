import { type OpenCalls } from '@skein/session-store';
import { demandOf, unservedOf } from './tool-demand';
import { WorkerDirectory } from '../workers/worker-directory';

const [FIRST, SECOND] = [`d-${'1'.repeat(32)}`, `d-${'2'.repeat(32)}`];

function openCalls(calls: Partial<OpenCalls> = {}): OpenCalls {
  return {
    ...{ appName: 'shop', tool: 'add', pool: 'default', queued: 0, dispatched: 2 },
    oldest: [
      { dispatchId: FIRST, seconds: 40 },
      { dispatchId: SECOND, seconds: 10 },
    ],
    ...calls,
  };
}

describe('what pools are asked for', () => {
  let nowMs = 0;
  let workers: WorkerDirectory;
  beforeEach(() => {
    nowMs = 0;
    workers = new WorkerDirectory({ nowMs: () => nowMs });
    workers.listening();
    nowMs = 6_000;
  });

  function announce(running: string[] = [], isLeaving = false): void {
    workers.announced({
      worker: 'w1',
      pools: [{ pool: 'default', concurrency: 4, running: running.length }],
      apps: { shop: { tools: ['add'], hasToolsets: false } },
      ...{ running, isLeaving },
    });
  }

  it('is what is stored, beside who is there to do it', () => {
    announce([FIRST]);

    expect(demandOf([openCalls(), openCalls({ tool: 'zip', queued: 3, oldest: [] })], workers)).toEqual([
      {
        ...{ pool: 'default', workers: 1, capacity: 4, running: 1 },
        ...{ queued: 3, dispatched: 4, unserved: 5, oldestSeconds: 10 },
      },
    ]);
  });

  it('names a pool that has nothing now, so that its series stay', () => {
    expect(demandOf([], workers, ['gpu'])).toEqual([
      {
        ...{ pool: 'gpu', workers: 0, capacity: 0, running: 0 },
        ...{ queued: 0, dispatched: 0, unserved: 0, oldestSeconds: 0 },
      },
    ]);
  });

  it('tells no age of calls that all run, and the last one known where there are more than were read', () => {
    announce([FIRST, SECOND]);

    expect(demandOf([openCalls()], workers)[0]?.oldestSeconds).toBe(0);
    expect(demandOf([openCalls({ dispatched: 3 })], workers)[0]?.oldestSeconds).toBe(10);
  });

  it('are calls in vain when no live worker has the tool', () => {
    expect(unservedOf([openCalls({ queued: 1 })], workers)).toEqual([
      { appName: 'shop', tool: 'add', pool: 'default', calls: 3 },
    ]);

    announce();
    expect(unservedOf([openCalls()], workers)).toEqual([]);
  });

  it('are not in vain while a worker that is leaving finishes them', () => {
    announce([FIRST, SECOND], true);
    expect(unservedOf([openCalls()], workers)).toEqual([]);

    announce([FIRST], true);
    expect(unservedOf([openCalls()], workers)).toMatchObject([{ calls: 1 }]);
  });

  it('are not told to be in vain before every worker had the time to speak', () => {
    workers.listening();

    expect(unservedOf([openCalls()], workers)).toEqual([]);
  });
});
