import { GrowingBytes } from './growing-bytes';
import { HeldEvents } from './held-events';

/** The events that come of a stream in pieces of such a size, name and data. */
function eventsOf(stream: string, size = stream.length): [string, string][] {
  const held = new HeldEvents();
  const bytes = Buffer.from(stream);
  const events: [string, string][] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const { name, data } of held.add(bytes.subarray(at, at + size))) {
      events.push([name, Buffer.from(data).toString()]);
    }
  }
  return events;
}

describe('HeldEvents', () => {
  it.each([
    ['line feeds', '\n'],
    ['returns', '\r'],
    ['both', '\r\n'],
  ])('gives an event once it is whole, its lines ended by %s, in whatever pieces', (_name, end) => {
    const lines = [
      'event: one',
      'data: {"a":"é"}',
      '',
      ': a comment',
      'id: 7',
      'data:{"b":',
      'data: 2}',
      '',
      '',
    ];
    // A second half of the last line end has nothing behind it.
    const stream = lines.join(end);
    const events = [
      ['one', '{"a":"é"}'],
      ['', '{"b": 2}'],
    ];

    for (const size of [1, 2, 3, 7, stream.length]) expect(eventsOf(stream, size)).toEqual(events);
  });

  it.each([
    ['without data', 'event: ping\n\n', []],
    ['of blank data', 'data:\n\ndata: \n\n', []],
    ['that is not ended', 'data: {"a":1}\n', []],
    ['behind a byte order mark', '\ufeffdata: {}\n\n', [['', '{}']]],
    ['of a field that is no field', 'dat\nda: {}\nData: {}\n\n', []],
  ])('of an event %s gives what an event stream is', (_name, stream, events) => {
    expect(eventsOf(stream)).toEqual(events);
  });

  it('copies the bytes of a line a bounded number of times, in however small pieces they come', () => {
    const set = jest.spyOn(Uint8Array.prototype, 'set');
    const line = `data: {"text":"${'x'.repeat(1_000_000)}"}\n\n`;
    const [event] = eventsOf(line, 100);
    const copied = set.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0);
    set.mockRestore();

    expect(event?.[1]).toHaveLength(line.length - 'data: \n\n'.length);
    expect(copied).toBeLessThan(8 * line.length);
  });

  it('keeps no room for what it gave', () => {
    const bytes = new GrowingBytes();
    bytes.add(new Uint8Array(1_000_000));
    bytes.clear();

    expect(bytes.bytes.buffer.byteLength).toBeLessThan(10_000);
  });
});
