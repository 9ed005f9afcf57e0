import { Metrics } from './metrics';

describe('Metrics', () => {
  it('renders counters and gauges in the text form of Prometheus', () => {
    const metrics = new Metrics();
    const calls = metrics.counter('calls_total', 'Calls made.');
    metrics.gauge('running', 'Running now.', () => 2);

    calls.increment({ tool: 'a"b\\\n' });
    calls.increment({ tool: 'a"b\\\n' }, 2);
    calls.increment();

    expect(metrics.render()).toBe(
      [
        '# HELP calls_total Calls made.',
        '# TYPE calls_total counter',
        'calls_total{tool="a\\"b\\\\\\n"} 3',
        'calls_total 1',
        '# HELP running Running now.',
        '# TYPE running gauge',
        'running 2',
        '',
      ].join('\n'),
    );
  });

  it('refuses a name that is taken', () => {
    const metrics = new Metrics();
    metrics.counter('calls_total', 'Calls made.');

    expect(() => metrics.gauge('calls_total', 'Again.', () => 0)).toThrow(/registered twice/);
  });
});
