import { connect } from 'node:net';
import { type RunningGateway, startGateway } from '../../test/running-gateway';

describe('a body of JSON', () => {
  let gateway: RunningGateway;
  beforeEach(async () => {
    gateway = await startGateway(undefined, { bodyMs: 200 });
  });
  afterEach(() => gateway.stop());

  /** All that comes for a request whose body has come so far. */
  function answerTo(sent: string): Promise<string> {
    const { hostname, port } = new URL(gateway.url);
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) });
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk)));
      socket.once('close', () => resolve(text));
      const head =
        'POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9';
      socket.write(`${head}\r\n\r\n${sent}`);
    });
  }

  it('row 27: is waited for no longer than it may take', async () => {
    expect(await answerTo('{"a"')).toMatch(/^HTTP\/1.1 408 [^]*"code":"request.timeout"/);
  });

  it('is looked at as soon as it is there', async () => {
    const answer = await gateway.ask({ path: '/run', body: { a: 1 } });

    expect(answer.status).toBe(422);
  });
});
