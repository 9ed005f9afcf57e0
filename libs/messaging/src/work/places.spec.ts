import { Places } from './places';

/** Three messages, of which `a` is aside until `comeBack`. */
function withOneAside() {
  let rooms = 0;
  const places = new Places<string>(() => rooms++);
  for (const message of ['a', 'b', 'c']) places.take(message);
  let comeBack: () => void = () => undefined;
  const waited = places.aside('a', () => new Promise<void>((resolve) => (comeBack = resolve)));
  return { places, comeBack: () => comeBack(), waited, rooms: () => rooms };
}

describe('a message whose handler only waits', () => {
  it('takes up no place, and whoever may fill that is told at once', () => {
    const { places, rooms } = withOneAside();

    expect([places.taken, places.working, rooms()]).toEqual([2, 2, 1]);
  });

  it('takes one up again when it is back, for which no other that came meanwhile is refused', async () => {
    const { places, comeBack, waited } = withOneAside();

    comeBack();
    await waited;

    expect([places.taken, places.working]).toEqual([3, 2]);
  });

  it('takes none up once it is done with', async () => {
    const { places, comeBack, waited, rooms } = withOneAside();
    comeBack();
    await waited;

    for (const message of ['a', 'b']) places.free(message);

    expect([places.taken, places.working, rooms()]).toEqual([1, 1, 3]);
  });

  it('is back also where what it waited for has failed', async () => {
    const places = new Places<string>(() => undefined);
    places.take('a');

    await expect(places.aside('a', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');

    expect(places.taken).toBe(1);
  });
});
