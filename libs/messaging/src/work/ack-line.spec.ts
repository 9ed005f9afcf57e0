import { type Msg } from '@nats-io/transport-node';
import { AckLine } from './ack-line';
import { WorkMessage } from './work-message';

const TICK_MS = 50;

function aMessage(told: string[], name: string): WorkMessage {
  const respond = (what: string): boolean => told.push(`${name} ${what}`) > 0;
  return new WorkMessage({ reply: '', respond } as unknown as Msg);
}

describe('AckLine', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('acks a message at the second tick, so that one that came since is behind it', () => {
    const told: string[] = [];
    const line = new AckLine(TICK_MS);

    line.add(aMessage(told, 'first'));
    jest.advanceTimersByTime(TICK_MS);
    line.add(aMessage(told, 'second'));
    expect(told).toEqual([]);
    jest.advanceTimersByTime(TICK_MS);
    expect(told).toEqual(['first +ACK']);
    jest.advanceTimersByTime(TICK_MS);

    expect(told).toEqual(['first +ACK', 'second +ACK']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('acks all that are left at its end, each once', () => {
    const told: string[] = [];
    const line = new AckLine(TICK_MS);
    line.add(aMessage(told, 'older'));
    jest.advanceTimersByTime(TICK_MS);
    line.add(aMessage(told, 'newer'));

    line.end();

    expect(told).toEqual(['older +ACK', 'newer +ACK']);
    expect(jest.getTimerCount()).toBe(0);
  });
});
