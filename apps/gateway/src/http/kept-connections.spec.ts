import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type RunningGateway, startGateway } from '../../test/running-gateway';

describe('a connection without a request', () => {
  let gateway: RunningGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('is kept for longer than load balancers keep theirs, so that none sends a request into one that just closes', async () => {
    const agent = new Agent({ keepAlive: true });
    try {
      const [answer] = (await once(get(`${gateway.url}/health`, { agent }), 'response')) as [IncomingMessage];
      answer.resume();

      expect(answer.headers['keep-alive']).toBe('timeout=75');
    } finally {
      agent.destroy();
    }
  });
});
