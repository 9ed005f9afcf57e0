import { type RunningGateway, startGateway } from '../../test/running-gateway';

describe('the requests of the gateway', () => {
  let gateway: RunningGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('are given no other prototype on their way through Express', async () => {
    const change = jest.spyOn(Object, 'setPrototypeOf');
    const before = new Map<unknown, unknown>();
    change.mockImplementation((object: unknown, prototype: object | null) => {
      before.set(object, Object.getPrototypeOf(object) === prototype);
      return object;
    });

    const answer = await gateway.ask({ path: '/list-apps' });

    change.mockRestore();
    expect(answer.status).toBe(200);
    expect([...before.values()]).toEqual([true, true]);
  });
});
