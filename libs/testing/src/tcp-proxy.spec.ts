import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { TcpProxy } from './tcp-proxy';

/** A server that answers every chunk with itself. */
async function startEcho(): Promise<{ server: Server; port: number; accepted: Socket[] }> {
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => socket.write(chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, accepted };
}

describe('TcpProxy', () => {
  let echo: Awaited<ReturnType<typeof startEcho>>;
  let proxy: TcpProxy;
  let client: Socket;

  beforeEach(async () => {
    echo = await startEcho();
    proxy = await TcpProxy.start({ host: '127.0.0.1', port: echo.port });
    client = await connected();
  });

  afterEach(async () => {
    client.destroy();
    await proxy.close();
    echo.server.close();
  });

  async function connected(): Promise<Socket> {
    const socket = connect({ host: '127.0.0.1', port: proxy.port });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Unlike `once`, whatever error comes before. */
  function closed(socket: Socket): Promise<void> {
    return new Promise((resolve) => socket.once('close', () => resolve()));
  }

  async function said(socket: Socket, text: string): Promise<string> {
    socket.write(text);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString();
  }

  it('passes bytes both ways, and an orderly end', async () => {
    expect(await said(client, 'hello')).toBe('hello');

    client.end();
    await once(client, 'close');
    expect(proxy.connections).toBe(0);
  });

  it('cuts with a reset, after which a new connection gets through', async () => {
    await said(client, 'hello');

    proxy.cut('rst');
    const [error] = (await once(client, 'error')) as [NodeJS.ErrnoException];

    expect(error.code).toBe('ECONNRESET');
    expect(await said(await connected(), 'again')).toBe('again');
  });

  it('cuts with an orderly end', async () => {
    await said(client, 'hello');
    const closed = once(client, 'close');

    proxy.cut('fin');

    expect(await closed).toEqual([false]);
  });

  it('holds without a word, and lets what was held arrive afterwards', async () => {
    await said(client, 'hello');
    const heard: string[] = [];
    client.on('data', (chunk: Buffer) => heard.push(chunk.toString()));

    proxy.hold();
    const late = await connected();
    client.write('held');
    late.write('held too');
    const direct = connect({ host: '127.0.0.1', port: echo.port });
    expect(await said(direct, 'not through the proxy')).toBe('not through the proxy');
    direct.destroy();
    expect([heard, client.destroyed, late.destroyed]).toEqual([[], false, false]);

    proxy.resume();
    await once(client, 'data');
    expect(heard).toEqual(['held']);
  });

  it('holds what is connected alone, if that is wished', async () => {
    await said(client, 'hello');
    proxy.hold('existing');
    client.write('held');

    expect(await said(await connected(), 'new')).toBe('new');

    proxy.resume();
    const [chunk] = (await once(client, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('held');
  });

  it('refuses until it is resumed', async () => {
    proxy.refuse();
    const refused = connect({ host: '127.0.0.1', port: proxy.port });
    refused.on('error', () => undefined);
    await closed(refused);

    proxy.resume();

    expect(await said(await connected(), 'hello')).toBe('hello');
  });

  it('delays', async () => {
    proxy.delay(60);
    const begunMs = performance.now();

    expect(await said(client, 'hello')).toBe('hello');

    expect(performance.now() - begunMs).toBeGreaterThanOrEqual(118);
  });

  it('shows bytes on their way, and cuts instead of passing them on', async () => {
    proxy.tap((chunk, from) => (from === 'server' && chunk.includes('commit') ? 'cut' : 'pass'));
    expect(await said(client, 'begin')).toBe('begin');
    const heard: Buffer[] = [];
    client.on('data', (chunk: Buffer) => heard.push(chunk));

    client.write('commit');
    await closed(client);

    expect(heard).toEqual([]);
    expect(echo.accepted).toHaveLength(1);
  });

  it('writes a URL through itself', () => {
    expect(proxy.through('postgresql://u:p@localhost:5432/skein')).toBe(
      `postgresql://u:p@127.0.0.1:${proxy.port}/skein`,
    );
    expect(proxy.through('nats://localhost:4222')).toBe(`nats://127.0.0.1:${proxy.port}`);
  });
});
