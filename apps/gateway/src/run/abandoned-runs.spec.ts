import { silentLogger } from '@skein/platform';
import { fakeResponse } from '../../test/fake-response';
import { FakeSessionSvc, INVOCATION } from '../../test/fake-session-svc';
import { AbandonedRuns } from './abandoned-runs';

const run = { appName: 'app', userId: 'user', sessionId: 's', invocationId: INVOCATION };

const closed = () => new Promise<void>((resolve) => void setImmediate(resolve));

function aGateway() {
  const svc = new FakeSessionSvc();
  const runs = new AbandonedRuns(svc, silentLogger);
  const follow = (wish: boolean) => {
    const client = fakeResponse();
    runs.follow(client.response, run, wish);
    return client;
  };
  const cancels = () => svc.calls.filter(({ verb }) => verb === 'cancel').map(({ input }) => input);
  return { svc, follow, cancels };
}

describe('a run that is to end with its client', () => {
  it.each([
    ['came back to it by its id', [true, false]],
    ['has another connection to it from before', [false, true]],
  ])('is cancelled when the last connection closes, where the client %s', async (_, wishes) => {
    const { follow, cancels } = aGateway();
    const [first, last] = wishes.map(follow);

    first?.leave();
    await closed();
    expect(cancels()).toEqual([]);
    last?.leave();
    await closed();

    expect(cancels()).toEqual([run]);
  });

  it('goes on when the last of its clients has its answer', async () => {
    const { follow, cancels } = aGateway();
    const [begun, back] = [follow(true), follow(false)];

    begun.leave();
    await closed();
    back.response.end();
    back.leave();
    await closed();

    expect(cancels()).toEqual([]);
  });

  it('is nothing that a later follower of the same run asked for', async () => {
    const { follow, cancels } = aGateway();
    const begun = follow(true);
    begun.response.end();
    begun.leave();
    await closed();

    follow(false).leave();
    await closed();

    expect(cancels()).toEqual([]);
  });

  it('is cancelled although its client had left before it was followed', async () => {
    const { svc, cancels } = aGateway();
    const { response, leave } = fakeResponse();
    leave();

    new AbandonedRuns(svc, silentLogger).follow(response, run, true);
    await closed();

    expect(cancels()).toEqual([run]);
  });
});
