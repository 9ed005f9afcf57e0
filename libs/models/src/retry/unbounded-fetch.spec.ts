import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { runInThisContext } from 'node:vm';
import { unboundedFetch } from './unbounded-fetch';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
type Global = Record<symbol, Agent | undefined>;
type Agent = object & {
  readonly constructor: new (bounds: { headersTimeout: number; bodyTimeout: number }) => Agent;
};

describe('unboundedFetch', () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    waiting.push(response);
    if (request.url === '/half') response.write('half, ');
  });
  let url = '';
  let impatient: Agent;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // Jest's globals are a copy, without what Node keeps under symbols: that is where fetch itself comes from.
    const node = runInThisContext('globalThis.Headers; globalThis') as Global;
    const agent = node[DISPATCHER];
    if (!agent) throw new Error('This Node keeps its dispatcher elsewhere.');
    impatient = new agent.constructor({ headersTimeout: 1, bodyTimeout: 1 });
    (globalThis as unknown as Global)[DISPATCHER] = impatient;
  });
  afterAll(async () => {
    Reflect.deleteProperty(globalThis, DISPATCHER);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each(['/', '/half'])('waits on where Node’s own bounds end the wait: %s', async (path) => {
    const answer = (async () => (await unboundedFetch(`${url}${path}`)).text())();
    const bounded = (async () =>
      (await fetch(`${url}${path}`, { dispatcher: impatient } as object)).text())();

    await expect(bounded).rejects.toThrow(/fetch failed|terminated/);
    for (const response of waiting.splice(0)) response.end('whole');

    expect(await answer).toMatch(/whole$/);
  });
});
