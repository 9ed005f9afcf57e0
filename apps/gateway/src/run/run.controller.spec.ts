import { tmpdir } from 'node:os';
import { silentLogger } from '@skein/platform';
import { fakeResponse, sseOptions } from '../../test/fake-response';
import { FakeSessionSvc, INVOCATION } from '../../test/fake-session-svc';
import { AgentsFolder } from '../agents-folder';
import { InvocationsController } from '../invocations/invocations.controller';
import { AbandonedRuns } from './abandoned-runs';
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
  const ports = { api: svc, feed: svc.feed };
  const abandoned = new AbandonedRuns(svc, silentLogger);
  const controller = new RunController(ports, agents, streams, new Ending(), abandoned);
  const invocations = new InvocationsController(ports, streams, abandoned);
  return { svc, agents, streams, response, leave, controller, invocations };
}

describe('a client that leaves', () => {
  it('before its request is looked at is noticed', async () => {
    const { controller, response, leave, svc, streams } = aController();
    leave();

    await controller.runSse(body, undefined, undefined, {}, response);

    expect(svc.calls).toMatchObject([{ verb: 'submit' }]);
    expect([svc.feed.listeners, streams.count]).toEqual([0, 0]);
  });

  it('while its app is looked for is noticed', async () => {
    const { controller, response, leave, agents, svc, streams } = aController();
    let find: () => void = () => undefined;
    agents.found = new Promise((resolve) => (find = resolve));

    const answered = controller.runSse(body, undefined, undefined, {}, response);
    leave();
    response.once('close', find);
    await answered;

    expect([svc.feed.listeners, streams.count]).toEqual([0, 0]);
  });

  it('while its input is stored leaves no stream behind, though its run goes on', async () => {
    const { controller, response, leave, svc, streams } = aController();
    svc.onSubmit = () => leave();

    await controller.runSse(body, undefined, undefined, {}, response);
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

  describe('that asked for its run to end with it', () => {
    const ending = { ...body, onDisconnect: 'cancel' };
    const cancels = ({ calls }: FakeSessionSvc) =>
      calls.filter(({ verb }) => verb === 'cancel').map(({ input }) => input);

    it.each(['while its input is stored', 'before it was looked at'])('cancels it %s', async (when) => {
      const { controller, response, leave, svc } = aController();
      if (when.startsWith('before')) leave();
      else svc.onSubmit = () => leave();

      await controller.runSse(ending, undefined, undefined, {}, response);
      await untilNextTurn();

      const { appName, userId, sessionId } = body;
      expect(cancels(svc)).toEqual([{ appName, userId, sessionId, invocationId: INVOCATION }]);
    });

    it('cancels nothing once it has its answer, nor when the gateway ends the stream', async () => {
      const { controller, response, leave, svc, streams } = aController();
      svc.onSubmit = () => streams.endAll();

      const answered = controller.runSse(ending, undefined, undefined, {}, response);
      await untilNextTurn();
      svc.end('waiting');
      await answered;
      leave();
      await untilNextTurn();

      expect(cancels(svc)).toEqual([]);
    });

    it('cancels nothing when its old connection closes after it came back on another, then with that one', async () => {
      const { controller, response, leave, svc } = aController();
      const again = fakeResponse();
      const answers = [response, again.response].map((to) =>
        controller.runSse(ending, 'key-1', undefined, {}, to),
      );
      await untilNextTurn();

      leave();
      await answers[0];
      await untilNextTurn();
      expect(cancels(svc)).toEqual([]);
      again.leave();
      await answers[1];
      await untilNextTurn();

      expect(cancels(svc)).toHaveLength(1);
    });

    it('cancels nothing when it came back to the events of its invocation, until it leaves these', async () => {
      const { controller, invocations, response, leave, svc } = aController();
      const again = fakeResponse();
      const { appName, userId, sessionId } = body;
      const params = { appName, userId, sessionId, invocationId: INVOCATION };
      const begun = controller.runSse(ending, 'key-1', undefined, {}, response);
      const back = invocations.events(params, {}, undefined, again.response);
      await untilNextTurn();

      leave();
      await begun;
      await untilNextTurn();
      expect(cancels(svc)).toEqual([]);
      again.leave();
      await back;
      await untilNextTurn();

      expect(cancels(svc)).toEqual([params]);
    });

    it('cancels nothing of one that did not ask', async () => {
      const { controller, response, leave, svc } = aController();
      svc.onSubmit = () => leave();

      await controller.runSse(body, undefined, undefined, {}, response);
      await untilNextTurn();

      expect(cancels(svc)).toEqual([]);
    });
  });
});

const untilNextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
