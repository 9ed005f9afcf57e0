import { MessageMeter } from './message-meter';

const tooLarge = expect.objectContaining({ code: 'mcp.too-large' }) as Error;

function passing(chunks: readonly string[], { isEvents = true } = {}): () => void {
  const meter = new MessageMeter(20, isEvents);
  return () => chunks.forEach((chunk) => meter.pass(Buffer.from(chunk)));
}

describe('the size of a message', () => {
  it.each([
    ['many events in one piece', ['data: 1\n\ndata: 2\n\ndata: 3\n\n']],
    ['events whose end is cut in two', ['data: 12345\n', '\ndata: 12345\n', '\n']],
    ['events as other systems end them', ['data: 12345\r\n\r', '\ndata: 12345\r\n\r\n']],
  ])('begins anew with each of %s', (_what, chunks) => {
    expect(passing(chunks)).not.toThrow();
  });

  it.each([
    ['in one piece that also holds its end', ['data: 123456789012345\n\n']],
    ['in one piece with others around it', ['data: 1\n\ndata: 123456789012345\n\ndata: 2\n\n']],
    ['in pieces', ['data: 1234', '5678901', '2345\n']],
    ['by its many lines', ['data: 1\ndata: 2\ndata: 3\n']],
  ])('is told of an event that is too large %s', (_how, chunks) => {
    expect(passing(chunks)).toThrow(tooLarge);
  });

  it('is that of the whole body where it is no stream of events: empty lines end nothing', () => {
    expect(passing(['{\n\n"a": 1,\n\n', '"b": 2\n\n}\n\n'], { isEvents: false })).toThrow(tooLarge);
  });
});
