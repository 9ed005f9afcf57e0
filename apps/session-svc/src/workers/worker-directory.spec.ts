import { type WorkerAnnouncement } from '@skein/contracts';
import { WorkerDirectory } from './worker-directory';

const CALL = `d-${'1'.repeat(32)}`;

function anAnnouncement(worker: string, said: Partial<WorkerAnnouncement> = {}): WorkerAnnouncement {
  return {
    worker,
    pools: [{ pool: 'default', concurrency: 16, running: 0 }],
    apps: { shop: { tools: ['add'], hasToolsets: false } },
    running: [],
    isLeaving: false,
    ...said,
  };
}

function running(count: number, pool = 'default') {
  return { pools: [{ pool, concurrency: 16, running: count }] };
}

describe('WorkerDirectory', () => {
  let nowMs = 0;
  let canHear = true;
  const distrusted = new Set<string>();
  let directory: WorkerDirectory;
  beforeEach(() => {
    nowMs = 0;
    directory = new WorkerDirectory({
      nowMs: () => nowMs,
      canHear: () => canHear,
      isTrusted: (worker) => !distrusted.has(worker),
    });
  });

  it('knows which tools of which app the live workers of a pool have', () => {
    directory.announced(anAnnouncement('w1'));

    expect(directory.serves('shop', 'add', 'default')).toBe(true);
    expect(directory.names('shop', 'add', 'default')).toBe(true);
    expect(directory.names('shop', 'add', 'gpu')).toBe(false);
    expect(directory.serves('shop', 'subtract', 'default')).toBe(false);
    expect(directory.serves('zoo', 'add', 'default')).toBe(false);
    expect(directory.serves('shop', 'add', 'gpu')).toBe(false);
    expect(directory.serves('toString', 'add', 'default')).toBe(false);
  });

  it('counts the runs of a tool that live workers of its pool left behind, for as long as these live', () => {
    const left = { appName: 'shop', tool: 'add', pool: 'default', calls: 2 };
    distrusted.add('liar');
    directory.announced(anAnnouncement('w1', { leftBehind: [left, { ...left, tool: 'other' }] }));
    directory.announced(
      anAnnouncement('w2', { leftBehind: [{ ...left, calls: 1 }], isLeaving: true, ...running(1) }),
    );
    directory.announced(anAnnouncement('elsewhere', { ...running(0, 'gpu'), leftBehind: [left] }));
    directory.announced(anAnnouncement('liar', { leftBehind: [left] }));

    expect(directory.leftBehind('shop', 'add', 'default')).toBe(3);
    expect(directory.leftBehind('zoo', 'add', 'default')).toBe(0);
    directory.announced(anAnnouncement('w1'));
    expect(directory.leftBehind('shop', 'add', 'default')).toBe(1);
    nowMs += 5_001;
    expect(directory.leftBehind('shop', 'add', 'default')).toBe(0);
  });

  it('keeps which calls were heard to run until that is noted, also of a worker that is gone; of none it distrusts', () => {
    const other = `d-${'2'.repeat(32)}`;
    distrusted.add('liar');
    directory.announced(anAnnouncement('w1', { running: [CALL] }));
    directory.announced(anAnnouncement('liar', { running: [other] }));
    nowMs += 60_000;

    const begun = directory.begun();
    expect(begun).toEqual([{ dispatchId: CALL, pool: 'default', agoMs: 60_000 }]);
    expect(directory.isRunning({ dispatchId: CALL, pool: 'default' })).toBe(false);
    directory.noted(begun);
    expect(directory.begun()).toEqual([]);
  });

  it('takes a toolset, or an app there was no room to name, to have any tool', () => {
    directory.announced(anAnnouncement('w1', { apps: { shop: { tools: [], hasToolsets: true } } }));
    expect(directory.serves('shop', 'found-in-a-run', 'default')).toBe(true);
    expect(directory.names('shop', 'found-in-a-run', 'default')).toBe(false);
    expect(directory.serves('zoo', 'add', 'default')).toBe(false);

    directory.announced(anAnnouncement('w1', { hasMoreApps: true }));
    expect(directory.serves('shop', 'found-in-a-run', 'default')).toBe(false);
    expect(directory.serves('zoo', 'add', 'default')).toBe(true);
  });

  it('has a pool hold calls only where each of its live workers does', () => {
    directory.announced(anAnnouncement('new', { holds: true }));
    expect(directory.hold('default')).toBe(true);
    directory.announced(anAnnouncement('before'));
    expect(directory.hold('default')).toBe(false);

    nowMs = 4_000;
    directory.announced(anAnnouncement('new', { holds: true }));
    nowMs = 6_000;

    expect(directory.hold('default')).toBe(true);
  });

  it('serves what only one of two versions in a pool has, for as long as that one lives', () => {
    directory.announced(anAnnouncement('v1'));
    directory.announced(
      anAnnouncement('v2', { apps: { shop: { tools: ['add', 'new'], hasToolsets: false } } }),
    );
    expect(directory.serves('shop', 'new', 'default')).toBe(true);

    nowMs = 4_000;
    directory.announced(anAnnouncement('v1'));
    nowMs = 6_000;

    expect(directory.serves('shop', 'new', 'default')).toBe(false);
    expect(directory.serves('shop', 'add', 'default')).toBe(true);
  });

  it('forgets a worker five seconds after it was heard last', () => {
    directory.announced(anAnnouncement('w1', { ...running(1), running: [CALL] }));

    nowMs = 5_000;
    expect(directory.isRunning({ dispatchId: CALL, pool: 'default' })).toBe(true);
    expect(directory.poolsServed()).toEqual(['default']);

    nowMs = 5_001;
    expect(directory.isRunning({ dispatchId: CALL, pool: 'default' })).toBe(false);
    expect(directory.capacity('default')).toBe(0);
    expect(directory.poolsServed()).toEqual([]);
    expect(directory.pools()).toEqual([]);
  });

  it('counts one that is leaving no more, but for the calls it still runs', () => {
    directory.announced(anAnnouncement('w1'));
    directory.announced(anAnnouncement('w1', { ...running(1), running: [CALL], isLeaving: true }));

    expect(directory.serves('shop', 'add', 'default')).toBe(false);
    expect(directory.poolsServed()).toEqual([]);
    expect(directory.isRunning({ dispatchId: CALL, pool: 'default' })).toBe(true);
    expect(directory.pools()).toEqual([{ pool: 'default', workers: 0, capacity: 0, running: 1 }]);

    directory.announced(anAnnouncement('w1', { isLeaving: true }));
    expect(directory.isRunning({ dispatchId: CALL, pool: 'default' })).toBe(false);
    expect(directory.pools()).toEqual([]);
  });

  it('adds up what the workers of a pool can run, each pool for itself', () => {
    const gpu = { pool: 'gpu', concurrency: 1, running: 1 };
    directory.announced(anAnnouncement('w1', { pools: [...running(2).pools, gpu] }));
    directory.announced(anAnnouncement('w2'));

    expect(directory.capacity('default')).toBe(32);
    expect(directory.pools()).toEqual([
      { pool: 'default', workers: 2, capacity: 32, running: 2 },
      { pool: 'gpu', workers: 1, capacity: 1, running: 1 },
    ]);
  });

  it('does not doubt a call that may be one of those a worker has no room to name', () => {
    directory.announced(anAnnouncement('w1', { ...running(2), running: [CALL] }));

    expect(directory.isRunning({ dispatchId: `d-${'2'.repeat(32)}`, pool: 'default' })).toBe(true);
  });

  it('row 16: takes no worker’s word for a call of a pool that it does not serve', () => {
    directory.announced(anAnnouncement('w1', { ...running(2, 'gpu'), running: [CALL] }));

    expect(directory.isRunning({ dispatchId: CALL, pool: 'default' })).toBe(false);
    expect(directory.isRunning({ dispatchId: `d-${'2'.repeat(32)}`, pool: 'default' })).toBe(false);
    expect(directory.isRunning({ dispatchId: CALL, pool: 'gpu' })).toBe(true);
    expect(directory.begun()).toEqual([{ dispatchId: CALL, pool: 'gpu', agoMs: 0 }]);
  });

  it('tells when something is served that was not, and only then', () => {
    const told: (readonly string[])[] = [];
    directory.onServed((pools) => told.push(pools));

    directory.announced(anAnnouncement('w1'));
    directory.announced(anAnnouncement('w1', running(3)));
    expect(told).toEqual([['default']]);

    directory.announced(anAnnouncement('w1', { apps: { zoo: { tools: [], hasToolsets: true } } }));
    expect(told).toHaveLength(2);

    directory.announced(anAnnouncement('w1', { isLeaving: true }));
    expect(told).toHaveLength(2);

    directory.announced(anAnnouncement('w1'));
    expect(told).toHaveLength(3);
  });

  it('cannot tell that a worker is not there before every one had the time to speak', () => {
    expect(directory.isInformed()).toBe(false);

    directory.listening();
    nowMs = 5_001;
    expect(directory.isInformed()).toBe(true);

    canHear = false;
    expect(directory.isInformed()).toBe(false);

    canHear = true;
    directory.listening();
    expect(directory.isInformed()).toBe(false);
  });

  it('row 35: leaves out a worker that is not believed, and what it claims to run', () => {
    directory.announced(anAnnouncement('w1', { ...running(1), running: [CALL] }));
    distrusted.add('w1');

    expect(directory.serves('shop', 'add', 'default')).toBe(false);
    expect(directory.capacity('default')).toBe(0);
    expect(directory.isRunning({ dispatchId: CALL, pool: 'default' })).toBe(false);

    distrusted.clear();
    expect(directory.serves('shop', 'add', 'default')).toBe(true);
  });
});
