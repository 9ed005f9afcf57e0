import { channel } from 'node:diagnostics_channel';
import { subscribeWarnings } from './log-channels';
import { type Logger, silentLogger } from './logger';

describe('subscribeWarnings', () => {
  it('logs warnings of the engine and lines of plugins, until it is ended', () => {
    const lines: unknown[] = [];
    const noting =
      (level: string): Logger['info'] =>
      (fields, message) =>
        lines.push([level, fields, message]);
    const end = subscribeWarnings({ ...silentLogger, warn: noting('warn'), info: noting('info') });

    channel('skein:warning').publish({ message: 'odd', fields: { n: 1 } });
    channel('skein:log').publish({ message: 'line', fields: { plugin: 'p' } });
    channel('skein:log').publish('of another version');
    end();
    channel('skein:warning').publish({ message: 'late', fields: {} });

    expect(lines).toEqual([
      ['warn', { n: 1 }, 'odd'],
      ['info', { plugin: 'p' }, 'line'],
    ]);
  });
});
