import { type Logger, Metrics } from '@skein/platform';
import { WorkerTrust } from './worker-trust';

describe('row 35: a worker that cannot be believed', () => {
  let nowMs = 0;
  let lines: { fields: object; message: string }[];
  let metrics: Metrics;
  let trust: WorkerTrust;
  beforeEach(() => {
    nowMs = 0;
    lines = [];
    metrics = new Metrics();
    const warn = (fields: object, message: string) => void lines.push({ fields, message });
    const logger: Logger = { debug: warn, info: warn, warn, error: warn, child: () => logger };
    trust = new WorkerTrust({ metrics, logger, nowMs: () => nowMs });
  });

  function offend(times: number, worker = 'w1'): void {
    for (let index = 0; index < times; index++) trust.offended(worker, 'forged');
  }

  it('is ignored for five minutes after five offences within a minute, and told of once', async () => {
    offend(4);
    expect(trust.isTrusted('w1')).toBe(true);

    offend(3);

    expect(trust.isTrusted('w1')).toBe(false);
    expect(trust.isTrusted('w2')).toBe(true);
    expect(lines).toEqual([
      {
        fields: { worker: 'w1', offence: 'forged', offences: 5, ignoredMs: 300_000 },
        message: 'tool worker is ignored for a while',
      },
    ]);
    expect(await metrics.render()).toContain('skein_tool_workers_distrusted_total{offence="forged"} 1');

    nowMs = 300_000;
    expect(trust.isTrusted('w1')).toBe(true);
    offend(4);
    expect(trust.isTrusted('w1')).toBe(true);
  });

  it('is believed while its offences are seldom', () => {
    for (let index = 0; index < 20; index++) {
      nowMs += 15_000;
      offend(1);
    }

    expect(trust.isTrusted('w1')).toBe(true);
    expect(lines).toEqual([]);
  });

  it('has a name of its own choice, of which no more are kept than there is room for', () => {
    offend(5);

    for (let index = 0; index < 2_000; index++) offend(1, `made-up-${index}-${'x'.repeat(1_000)}`);

    expect(trust.isTrusted('w1')).toBe(true);
  });
});
