import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Event } from '@skein/contracts';
import { AuthorizationServer } from '@skein/testing';
import { InMemoryRunner, LlmAgent, OpenAPIToolset, ScriptedLlm } from '@skein/adk';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

/** A server of Express in a process of its own: it is killed as a machine would lose it, and keeps its orders in a file. */
const SERVER = `
const express = require(process.env.EXPRESS);
const { appendFileSync } = require('node:fs');
const app = express();
app.use(express.json());
app.use((request, response, next) => {
  appendFileSync(process.env.REQUESTS, JSON.stringify({ method: request.method, url: request.url, body: request.body, headers: request.headers }) + '\\n');
  next();
});
app.get('/v1/pets/:id', (request, response) => response.json({ id: Number(request.params.id), name: 'Rex' }));
app.post('/v1/pets', (request, response) => response.status(201).json(request.body));
app.get('/v1/mine', (request, response) => {
  if (request.headers.authorization !== 'Bearer given') return response.status(401).json({ why: 'who are you?' });
  response.json({ pets: 2 });
});
app.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
`;

const SPEC = (origin: string) => ({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: `${origin}/v1` }],
  paths: {
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'a pet' } },
      },
    },
    '/pets': {
      post: {
        operationId: 'addPet',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
            },
          },
        },
        responses: { 201: { description: 'the pet' } },
      },
    },
    '/mine': {
      get: {
        operationId: 'countMine',
        security: [{ login: [] }],
        responses: { 200: { description: 'how many' } },
      },
    },
  },
  components: { securitySchemes: { login: { type: 'http', scheme: 'bearer' } } },
});

const calls = (name: string, args: Record<string, unknown> = {}) => ({
  content: { role: 'model', parts: [{ functionCall: { name, args } }] },
});
const done = { content: { role: 'model', parts: [{ text: 'done' }] } };

const AGENT = (specFile: string, script: object[], options = '') => `
import { LlmAgent, OpenAPIToolset, ScriptedLlm } from '@skein/adk';
export const rootAgent = new LlmAgent({
  name: 'clerk',
  model: new ScriptedLlm({ responses: ${JSON.stringify(script)} }),
  tools: [new OpenAPIToolset({ specFile: ${JSON.stringify(specFile)}, ${options} })],
});
`;

/** A client of the authorization server: its users are asked, and a run after that asks for the same twice. */
const OAUTH = (document: object, credential: object) => `
import { LlmAgent, OpenAPIToolset, ScriptedLlm } from '@skein/adk';
const script = ${JSON.stringify([calls('mine'), calls('mine'), done, calls('mine'), done])};
export const rootAgent = new LlmAgent({
  name: 'clerk',
  model: new ScriptedLlm({ responses: script }),
  tools: [new OpenAPIToolset({ specDict: ${JSON.stringify(document)}, credentials: { login: ${JSON.stringify(credential)} } })],
});
`;

const OAUTH_SPEC = ({ origin, endpoints }: AuthorizationServer) => ({
  openapi: '3.1.0',
  info: { title: 'Mine', version: '1' },
  servers: [{ url: `${origin}/api` }],
  paths: {
    '/mine': {
      get: {
        operationId: 'mine',
        security: [{ login: [] }],
        responses: { 200: { description: 'how many' } },
      },
    },
  },
  components: { securitySchemes: { login: { type: 'oauth2', flows: { authorizationCode: endpoints } } } },
});

interface Asked {
  readonly id?: string;
  readonly args?: { readonly authConfig?: { exchangedAuthCredential?: { oauth2?: { authUri?: string } } } };
}

describe('tools of an OpenAPI document', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-openapi-'));
  const specFile = path.join(folder, 'pets.json');
  const requests = path.join(folder, 'requests.jsonl');
  const port = 20_000 + (process.pid % 20_000);
  const origin = `http://127.0.0.1:${port}`;
  let server: ChildProcess;
  let authorization: AuthorizationServer;
  let skein: Skein;

  async function startServer(): Promise<void> {
    const EXPRESS = require.resolve('express');
    const env = { ...process.env, PORT: String(port), REQUESTS: requests, EXPRESS };
    server = spawn(process.execPath, ['-e', SERVER], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => server.stdout?.once('data', resolve));
  }

  async function killServer(): Promise<void> {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  }

  /** In the place of the server: whoever connects is cut off, and counted. */
  async function cutConnections(): Promise<{ count: () => number; stop: () => Promise<unknown> }> {
    let count = 0;
    const door = createServer((socket) => {
      count += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => {
      door.listen(port, '127.0.0.1', resolve);
    });
    return { count: () => count, stop: () => new Promise((resolve) => door.close(resolve)) };
  }

  function seen(): { method: string; url: string; headers: Record<string, string> }[] {
    const lines = readFileSync(requests, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as ReturnType<typeof seen>[number]);
  }

  function responsesIn(events: readonly Event[]): unknown[] {
    return events.flatMap(({ content }) =>
      (content?.parts ?? []).flatMap(({ functionResponse }) =>
        functionResponse ? [functionResponse.response] : [],
      ),
    );
  }

  async function play(app: string, session: string): Promise<Event[]> {
    const client = new Client(skein.url, app);
    await client.createSession(session);
    return (await client.run(session, 'go')).body;
  }

  beforeAll(async () => {
    writeFileSync(specFile, JSON.stringify(SPEC(origin)));
    writeFileSync(requests, '');
    await startServer();
    authorization = await AuthorizationServer.start();
    const reads = [calls('get_pet', { pet_id: 7 }), done];
    skein = await Skein.start({
      agents: {
        reader: AGENT(specFile, reads),
        patient: AGENT(
          specFile,
          reads,
          'toolOptions: { retry: { maxAttempts: 50, backoffMs: 200, maxBackoffMs: 500 } }',
        ),
        writer: AGENT(specFile, [calls('add_pet', { name: 'Tom' }), done]),
        owner: AGENT(specFile, [calls('count_mine'), done]),
        visitor: OAUTH(OAUTH_SPEC(authorization), authorization.credential({ codeChallengeMethod: 'S256' })),
        prober: AGENT(specFile, reads, "serverUrl: 'http://127.0.0.2:9'"),
      },
      env: { TOOL_EGRESS_ALLOW: `${origin},${authorization.origin}`, TOOL_WORKERS: '2' },
    });
  }, 120_000);

  afterAll(async () => {
    await skein?.stop();
    await authorization?.stop();
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it('run in a worker, at the server that the worker may reach', async () => {
    const read = await play('reader', 's');
    const written = await play('writer', 's');

    expect(responsesIn(read)).toEqual([{ id: 7, name: 'Rex' }]);
    expect(responsesIn(written)).toEqual([{ name: 'Tom' }]);
    expect(textOf(written.at(-1))).toBe('done');
  });

  it('row 24: reach nothing else that is private, and the model reads why', async () => {
    const [response] = responsesIn(await play('prober', 's'));

    expect(response).toMatchObject({ error: expect.stringContaining('is not on the public internet') });
  });

  it('ask the user for a credential that nobody has, and go on with it', async () => {
    const client = new Client(skein.url, 'owner');
    await client.createSession('s');
    const { body } = await client.run('s', 'go');
    const asked = body
      .flatMap(({ content }) => content?.parts ?? [])
      .find(({ functionCall }) => functionCall?.name === 'adk_request_credential')?.functionCall;
    const { authConfig } = (asked?.args ?? {}) as { authConfig?: object };
    const exchangedAuthCredential = {
      authType: 'http',
      http: { scheme: 'bearer', credentials: { token: 'given' } },
    };

    const { body: after } = await client.run('s', {
      role: 'user',
      parts: [
        {
          functionResponse: {
            ...{ id: asked?.id ?? '', name: 'adk_request_credential' },
            response: { ...authConfig, exchangedAuthCredential },
          },
        },
      ],
    });

    expect(responsesIn(after)).toContainEqual({ pets: 2 });
    expect(JSON.stringify(await client.getSession('s'))).not.toContain('given');
  });

  it('exchange the code a user gives, and have his token in every worker and later runs, unseen by anybody (B65)', async () => {
    const client = new Client(skein.url, 'visitor');
    await client.createSession('s');
    const { body } = await client.run('s', 'go');
    const asked: Asked | undefined = body
      .flatMap(({ content }) => content?.parts ?? [])
      .find(({ functionCall }) => functionCall?.name === 'adk_request_credential')?.functionCall;
    const { authConfig } = asked?.args ?? {};
    const authResponseUri = await authorization.consent(authConfig?.exchangedAuthCredential?.oauth2?.authUri);
    const exchangedAuthCredential = { authType: 'oauth2', oauth2: { authResponseUri } };

    const { body: first } = await client.run('s', {
      role: 'user',
      parts: [
        {
          functionResponse: {
            ...{ id: asked?.id ?? '', name: 'adk_request_credential' },
            response: { ...authConfig, exchangedAuthCredential },
          },
        },
      ],
    });
    for (const pid of skein.pidsOf('tool-worker')) process.kill(pid, 'SIGKILL');
    const { body: later } = await client.run('s', 'again');

    expect(responsesIn(first)).toEqual([{ pets: 2 }, { pets: 2 }]);
    expect(responsesIn(later)).toEqual([{ pets: 2 }]);
    expect(authorization.grants).toEqual(['authorization_code']);
    const stored = JSON.stringify(await client.getSession('s')) + skein.log();
    expect(stored).not.toMatch(/ACCESS-|REFRESH-|CLIENT-SECRET/);
    expect(stored).not.toContain(new URL(authResponseUri).searchParams.get('code'));
  }, 60_000);

  it('are tried again while the server is gone where that does no harm, and go on once it is back', async () => {
    await killServer();
    const before = seen().length;

    const gone = await play('writer', 'gone');
    const attempts = await cutConnections();
    const patient = play('patient', 'patient');
    await waitUntil('two attempts that failed', () => attempts.count() > 1);
    await attempts.stop();
    await startServer();

    expect(responsesIn(gone)).toMatchObject([{ error: expect.stringContaining('No answer') }]);
    expect(responsesIn(await patient)).toEqual([{ id: 7, name: 'Rex' }]);
    // What runs once was not sent behind the model's back.
    expect(
      seen()
        .slice(before)
        .map(({ method }) => method),
    ).toEqual(['GET']);
    expect(responsesIn(await play('writer', 'back'))).toEqual([{ name: 'Tom' }]);
  }, 60_000);

  it('run in one process too, before and after the server was killed', async () => {
    const tools = [new OpenAPIToolset({ specFile, allow: [origin] })];
    const script = [1, 2, 3].flatMap(() => [calls('get_pet', { pet_id: 7 }), done]);
    const agent = new LlmAgent({ name: 'clerk', model: new ScriptedLlm({ responses: script }), tools });
    const runner = new InMemoryRunner({ agent, appName: 'app' });
    await runner.sessionService.createSession({ appName: 'app', userId: 'u', sessionId: 's' });
    const turn = async (): Promise<unknown[]> => {
      const events: Event[] = [];
      const newMessage = { role: 'user', parts: [{ text: 'go' }] };
      for await (const event of runner.runAsync({ userId: 'u', sessionId: 's', newMessage }))
        events.push(event);
      return responsesIn(events);
    };

    expect(await turn()).toEqual([{ id: 7, name: 'Rex' }]);
    await killServer();
    expect(await turn()).toMatchObject([{ error: expect.any(String) }]);
    await startServer();
    expect(await turn()).toEqual([{ id: 7, name: 'Rex' }]);
  });
});
