import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { askGateway, GatewayError } from './ask-gateway';

const asked = { method: 'GET', path: '/apps/a/dead-letters' };

describe('asking the gateway', () => {
  let server: Server;
  let url: string;
  let answer: { readonly status: number; readonly body: string };

  beforeEach(async () => {
    server = createServer((_request, response) => {
      response.writeHead(answer.status);
      response.end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(() => server.close());

  const sentence = async (at: string): Promise<string> => {
    const error: unknown = await askGateway({ url: at, from: '--url' }, asked).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(GatewayError);
    return (error as GatewayError).message;
  };

  it('gives what it answers, as it is', async () => {
    answer = { status: 200, body: '{"deadLetters":[]}' };

    expect(await askGateway({ url, from: '--url' }, asked)).toBe('{"deadLetters":[]}');
  });

  it('tells a refusal by its sentence and code, and what is none of a gateway as it is', async () => {
    answer = {
      status: 409,
      body: '{"detail":"It is under way.","error":"It is under way.","code":"dead-letter.under-way"}',
    };
    expect(await sentence(url)).toBe(
      `The gateway at ${url} (--url) answered 409: It is under way. (dead-letter.under-way)`,
    );

    answer = { status: 502, body: '<html>Bad gateway</html>' };
    expect(await sentence(url)).toBe(`The gateway at ${url} (--url) answered 502: <html>Bad gateway</html>`);
  });

  it('names the address and the setting where nothing listens, and no word of Node', async () => {
    await new Promise((resolve) => server.close(resolve));

    expect(await sentence(url)).toBe(
      `The gateway at ${url} (--url) could not be asked: nothing listens there. Is it running?`,
    );
  });

  it('refuses an address with a password, which it does not show', async () => {
    const told = await sentence(url.replace('//', '//ada:secret@'));

    expect(told).toBe(
      `The gateway at ${url} (--url) has a user name or a password in its address: it takes none.`,
    );
  });
});
