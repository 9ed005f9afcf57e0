import { Slots } from './slots';

describe('Slots', () => {
  it('runs tasks in order, never more than its limit at once', async () => {
    const slots = new Slots(2);
    const order: number[] = [];
    let running = 0;
    let most = 0;

    const tasks = [0, 1, 2, 3, 4].map((n) =>
      slots.run(async () => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        order.push(n);
        running--;
      }),
    );
    expect(slots.waiting).toBe(3);
    await Promise.all(tasks);

    expect({ order, most, waiting: slots.waiting }).toEqual({ order: [0, 1, 2, 3, 4], most: 2, waiting: 0 });
  });

  it('frees the slot of a task that fails', async () => {
    const slots = new Slots(1);

    const failing = slots.run(async () => Promise.reject(new Error('no')));
    const next = slots.run(async () => 'ran');

    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('ran');
  });
});
