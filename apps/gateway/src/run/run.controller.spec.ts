import { tmpdir } from 'node:os';
import { fakeResponse, sseOptions } from '../../test/fake-response';
import { FakeSessionSvc } from '../../test/fake-session-svc';
import { AgentsFolder } from '../agents-folder';
import { Ending } from './ending';
import { OpenStreams } from './open-streams';
import { RunController } from './run.controller';

const body = {
  appName: 'quickstart',
  userId: 'user',
  sessionId: 's',
  newMessage: { parts: [{ text: 'hello' }] },
};

/** Has every app, once `found` settles. */
class SlowFolder extends AgentsFolder {
  found = Promise.resolve();

  constructor() {
    super(tmpdir());
  }

  override async require(): Promise<void> {
    await this.found;
  }
}

/** The run of these tests never ends by itself: what settles, settles because the client left. */
function aController() {
  const svc = new FakeSessionSvc();
  const agents = new SlowFolder();
  const streams = new OpenStreams(sseOptions);
  const { response, leave } = fakeResponse();
  const controller = new RunController(svc, svc.feed, agents, streams, new Ending());
  return { svc, agents, streams, response, leave, controller };
}

describe('a client that leaves', () => {
  it('before its request is looked at is noticed', async () => {
    const { controller, response, leave, svc, streams } = aController();
    leave();

    await controller.runSse(body, undefined, undefined, undefined, response);

    expect(svc.calls).toMatchObject([{ verb: 'submit' }]);
    expect([svc.feed.listeners, streams.count]).toEqual([0, 0]);
  });

  it('while its app is looked for is noticed', async () => {
    const { controller, response, leave, agents, svc, streams } = aController();
    let find: () => void = () => undefined;
    agents.found = new Promise((resolve) => (find = resolve));

    const answered = controller.runSse(body, undefined, undefined, undefined, response);
    leave();
    response.once('close', find);
    await answered;

    expect([svc.feed.listeners, streams.count]).toEqual([0, 0]);
  });

  it('while its input is stored leaves no stream behind, though its run goes on', async () => {
    const { controller, response, leave, svc, streams } = aController();
    svc.onSubmit = () => leave();

    await controller.runSse(body, undefined, undefined, undefined, response);
    svc.say({ content: { parts: [{ text: 'x'.repeat(100_000) }] } });

    expect([svc.feed.listeners, streams.count]).toEqual([0, 0]);
  });

  it('from /run ends the wait for its events', async () => {
    const { controller, response, leave, svc } = aController();
    svc.onSubmit = () => leave();

    const answered = controller.run(body, undefined, response);

    await expect(answered).rejects.toMatchObject({ kind: 'cancelled', code: 'client.left' });
    expect(svc.feed.listeners).toBe(0);
  });
});
