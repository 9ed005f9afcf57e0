import { ChatError, PassingError } from './chat-error';
import { followTurn } from './follow-turn';
import type { WireFrame } from './wire-event';

const piece = (text: string): WireFrame => ({ id: 'e1', partial: true, content: { parts: [{ text }] } });
const event = (id: string): WireFrame => ({ id });

/** A connection: frames as they are sent, and how it ends. */
interface Connection {
  readonly sends?: readonly (readonly [seq: number | undefined, frame: WireFrame])[];
  readonly then: 'end' | 'break' | 'retry' | Error;
}

/** Plays one connection after the other, and the last one again and again. */
function gateway(...connections: readonly Connection[]) {
  const last = connections.at(-1) ?? { then: 'end' };
  const asked: (string | undefined)[] = [];
  const waiting: string[] = [];
  const stopping = new AbortController();
  const open = async (lastSeen: string | undefined): Promise<Response> => {
    const connection = connections[asked.length] ?? last;
    asked.push(lastSeen);
    if (connection.then instanceof Error) throw connection.then;
    return new Response(bodyOf(connection));
  };
  const frames = (): AsyncGenerator<WireFrame> =>
    followTurn({
      open,
      onWaiting: (sentence) => waiting.push(sentence),
      signal: stopping.signal,
      patience: { forMs: 40, pauseMs: 1 },
    });
  return { asked, waiting, stopping, frames };
}

function bodyOf({ sends = [], then }: Connection): ReadableStream<Uint8Array> {
  const texts = sends.map(
    ([seq, frame]) => `${seq === undefined ? '' : `id: ${seq}\n`}data: ${JSON.stringify(frame)}\n\n`,
  );
  if (then === 'retry') texts.push('retry: 1000\n\n');
  return new ReadableStream({
    pull: (controller) => {
      const text = texts.shift();
      if (text !== undefined) controller.enqueue(Buffer.from(text));
      else if (then === 'break') controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
}

async function all(frames: AsyncGenerator<WireFrame>): Promise<readonly WireFrame[]> {
  const seen: WireFrame[] = [];
  for await (const frame of frames) seen.push(frame);
  return seen;
}

describe('followTurn', () => {
  it.each(['break', 'retry'] as const)('goes on behind what it saw after a %s', async (then) => {
    const { frames, asked } = gateway(
      { sends: [[2, event('e1')]], then },
      { sends: [[3, event('e2')]], then: 'end' },
    );

    expect(await all(frames())).toEqual([event('e1'), event('e2')]);
    expect(asked).toEqual([undefined, '2']);
  });

  it('ends with a stream that ends', async () => {
    const { frames, asked } = gateway({ then: 'end' });

    expect(await all(frames())).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it('tells that pieces are void when it was away before their event was complete', async () => {
    const { frames, asked } = gateway(
      { sends: [[undefined, piece('It ')]], then: 'break' },
      {
        sends: [
          [undefined, piece('is')],
          [2, event('e1')],
        ],
        then: 'break',
      },
      { sends: [[3, event('e2')]], then: 'end' },
    );

    expect(await all(frames())).toEqual([
      piece('It '),
      { reset: 'e1' },
      piece('is'),
      event('e1'),
      event('e2'),
    ]);
    expect(asked).toEqual([undefined, undefined, '2']);
  });

  it('shows an event of two frames once, though the connection broke between them', async () => {
    const two = [
      [undefined, event('e1')],
      [2, { ...event('e1'), actions: { artifactDelta: { a: 0 } } }],
    ] as const;
    const { frames } = gateway({ sends: two.slice(0, 1), then: 'break' }, { sends: two, then: 'end' });

    expect(await all(frames())).toEqual(two.map(([, frame]) => frame));
  });

  it('asks again when it is told to come later, and says once that it waits', async () => {
    const away = new PassingError('Nobody is there', {}, 2);
    const { frames, waiting } = gateway(
      { then: away },
      { then: away },
      { sends: [[1, event('e1')]], then: 'end' },
    );

    expect(await all(frames())).toEqual([event('e1')]);
    expect(waiting).toEqual(['Nobody is there']);
  });

  it('gives up after its patience with what went wrong', async () => {
    const { frames, asked } = gateway({ then: 'break' }, { then: new PassingError('Nobody is there') });

    await expect(all(frames())).rejects.toThrow('Nobody is there');
    expect(asked.length).toBeGreaterThan(2);
  });

  it('does not repeat what is refused', async () => {
    const { frames, asked } = gateway({ then: 'break' }, { then: new ChatError('Session not found (404)') });

    await expect(all(frames())).rejects.toThrow('Session not found');
    expect(asked).toHaveLength(2);
  });

  it('stops when it is told to, also between two tries', async () => {
    const { frames, stopping, asked } = gateway({ then: 'break' });
    stopping.abort();

    await expect(all(frames())).rejects.toMatchObject({ name: 'AbortError' });
    expect(asked).toHaveLength(1);
  });
});
