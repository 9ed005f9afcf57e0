import { logConsole } from './console-lines';
import { type Logger, silentLogger } from './logger';

describe('logConsole', () => {
  const methods = ['debug', 'trace', 'log', 'info', 'warn', 'error'] as const;
  const before = methods.map((method) => [method, console[method]] as const);
  const warnings = process.listeners('warning');
  afterEach(() => {
    for (const [method, write] of before) console[method] = write;
    process.removeAllListeners('warning');
    for (const listener of warnings) process.on('warning', listener);
  });

  it('makes one line of what an author writes to the console, at the level of its method', () => {
    const lines: unknown[] = [];
    const noting =
      (level: string): Logger['info'] =>
      (fields, message) =>
        lines.push([level, fields, message]);
    const noted = ['debug', 'info', 'warn', 'error'].map((level) => [level, noting(level)]);
    logConsole({ ...silentLogger, ...Object.fromEntries(noted) } as Logger);

    console.log('the %s are\n%d', 'words', 2, { a: [1] });
    console.error(new Error('no').message);
    console.trace('where');
    process.emit('warning', new Error('deprecated'));

    expect(lines).toEqual([
      ['info', { source: 'console' }, 'the words are\n2 { a: [ 1 ] }'],
      ['error', { source: 'console' }, 'no'],
      ['debug', { source: 'console' }, 'where'],
      ['warn', { err: new Error('deprecated') }, 'deprecated'],
    ]);
  });
});
