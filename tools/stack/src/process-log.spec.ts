import { ProcessLog, type LogOutput } from './process-log';

class Output implements LogOutput {
  text = '';
  writableLength = 0;
  constructor(readonly isTTY = false) {}
  write(chunk: string): boolean {
    this.text += chunk;
    return true;
  }
}

describe('ProcessLog', () => {
  it('puts every line behind the name of its process, in one column', () => {
    const output = new Output();
    const log = new ProcessLog(output, ['nats', 'gateway']);

    log.sinkFor('nats')('listening');
    log.sinkFor('gateway')('hello');
    log.print('Skein is ready');

    expect(output.text).toBe('nats    | listening\ngateway | hello\nSkein is ready\n');
  });

  it('colours the names on a terminal', () => {
    const output = new Output(true);

    new ProcessLog(output, ['nats']).sinkFor('nats')('listening');

    expect(output.text).toBe('\u001b[36mnats |\u001b[0m listening\n');
  });

  it('lets colours of a line pass and shows what would drive the terminal', () => {
    const output = new Output();

    new ProcessLog(output, ['t']).sinkFor('t')('\u001b[31mred\u001b[0m\ttab \u001b[2J\u001b]0;title\u0007');

    expect(output.text).toBe('t | \u001b[31mred\u001b[0m\ttab \\x1b[2J\\x1b]0;title\\x07\n');
  });

  it('drops lines nobody reads, and says how many once somebody does', () => {
    const output = new Output();
    const sink = new ProcessLog(output, ['t']).sinkFor('t');

    output.writableLength = 9 * 1024 * 1024;
    sink('lost');
    sink('lost too');
    output.writableLength = 0;
    sink('read');

    expect(output.text).toBe('(2 log lines dropped: nobody read them)\nt | read\n');
  });
});
