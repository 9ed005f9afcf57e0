import { Metrics } from './metrics';

describe('Metrics', () => {
  let metrics: Metrics;
  beforeEach(() => (metrics = new Metrics()));

  it('renders counters and gauges in the text form of Prometheus', async () => {
    const calls = metrics.counter('calls_total', 'Calls made.', ['tool']);
    metrics.counter('misses_total', 'Calls missed.');
    metrics.gauge('running', 'Running now.', () => 2);
    metrics.gauge('waiting', 'Waiting, by pool.', async () => [[{ pool: 'default' }, 3]]);
    metrics.sum('cpu_seconds_total', 'Time spent.', () => 1.5);

    calls.increment({ tool: 'a"b\\\n' });
    calls.increment({ tool: 'a"b\\\n' }, 2);

    expect(await metrics.render()).toBe(
      [
        '# HELP calls_total Calls made.',
        '# TYPE calls_total counter',
        'calls_total{tool="a\\"b\\\\\\n"} 3',
        '# HELP misses_total Calls missed.',
        '# TYPE misses_total counter',
        'misses_total 0',
        '# HELP running Running now.',
        '# TYPE running gauge',
        'running 2',
        '# HELP waiting Waiting, by pool.',
        '# TYPE waiting gauge',
        'waiting{pool="default"} 3',
        '# HELP cpu_seconds_total Time spent.',
        '# TYPE cpu_seconds_total counter',
        'cpu_seconds_total 1.5',
        '',
      ].join('\n'),
    );
  });

  it('counts a value in its bucket and in all above it', async () => {
    const took = metrics.histogram('took_seconds', 'Time taken.', ['tool'], [0.1, 1]);

    for (const value of [0.05, 0.1, 0.5, 7]) took.observe(value, { tool: 'a' });

    expect((await metrics.render()).split('\n').slice(2, -1)).toEqual([
      'took_seconds_bucket{tool="a",le="0.1"} 2',
      'took_seconds_bucket{tool="a",le="1"} 3',
      'took_seconds_bucket{tool="a",le="+Inf"} 4',
      'took_seconds_sum{tool="a"} 7.65',
      'took_seconds_count{tool="a"} 4',
    ]);
  });

  it('keeps no more series than it can bear, however many names there are', async () => {
    const calls = metrics.counter('calls_total', 'Calls made.', ['tool']);

    for (let n = 0; n < 1_000; n++) calls.increment({ tool: `t${n}` });

    const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('calls_total'));
    expect(lines).toHaveLength(201);
    expect(lines).toContain('calls_total{tool="other"} 800');
  });

  it.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['fails at once', () => JSON.parse('{') as number],
    ['never answers', () => new Promise<number>(() => undefined)],
  ])('leaves out a figure whose reading %s, and shows the others', async (_how, read) => {
    metrics.gauge('away', 'Cannot be read.', read);
    metrics.gauge('running', 'Running now.', () => 2);

    const text = await metrics.render();

    expect(text).toContain('# TYPE away gauge\n# HELP running');
    expect(text).toContain('\nrunning 2\n');
  });

  it('refuses a name that is taken', () => {
    metrics.counter('calls_total', 'Calls made.');

    expect(() => metrics.gauge('calls_total', 'Again.', () => 0)).toThrow(/registered twice/);
  });
});
