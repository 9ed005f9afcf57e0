import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { loadWebPage } from './load-web-page';

const PAGE = `<!doctype html><html><head><title>t</title><style>p{}</style></head><body>
<script>alert("no")</script><h1>Cats &amp; dogs</h1><p>They <b>do</b>
not&nbsp;agree&#46;</p><!-- hidden --></body></html>`;

describe('loading a web page', () => {
  let server: Server;
  let origin: string;
  let requests = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests += 1;
      if (request.url === '/none') response.writeHead(404).end('none');
      else if (request.url === '/text')
        response.writeHead(200, { 'content-type': 'text/plain' }).end('a <b>');
      else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('gives what a reader sees', async () => {
    expect(await loadWebPage(origin, { allow: [origin] })).toBe('Cats & dogs\nThey do not agree.');
    expect(await loadWebPage(`${origin}/text`, { allow: [origin] })).toBe('a <b>');
  });

  it('says only that it failed', async () => {
    expect(await loadWebPage(`${origin}/none`, { allow: [origin] })).toBe(
      `Failed to fetch url: ${origin}/none`,
    );
  });

  it('row 24: does not reach what is private', async () => {
    const before = requests;

    expect(await loadWebPage(origin)).toBe(`Failed to fetch url: ${origin}`);
    expect(await loadWebPage('file:///etc/passwd')).toBe('Failed to fetch url: file:///etc/passwd');
    expect(requests).toBe(before);
  });
});
