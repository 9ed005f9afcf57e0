import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Context, createEventActions, InMemoryArtifactService } from '@skein/engine';
import express, { type Request } from 'express';
import { OpenAPIToolset, type OpenAPIToolsetOptions } from '../src/openapi/openapi-toolset';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Request['headers'];
  readonly body: string;
}

/** What the server of these specs was asked, in order; it starts and stops with each spec that imports this file. */
export const seen: Seen[] = [];
let server: Server;
export let origin: string;
const artifactService = new InMemoryArtifactService();
const session = { id: 's', appName: 'app', userId: 'u', state: {}, events: [], lastUpdateTime: 0 };

beforeAll(async () => {
  const app = express();
  app.use(express.raw({ type: () => true, limit: '1mb' }));
  app.use((request, _response, next) => {
    const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    next();
  });
  app.get('/v1/text', (_request, response) => void response.type('text/plain').send('plain'));
  app.get('/v1/empty', (_request, response) => {
    response.status(204).end();
  });
  app.get(
    '/v1/picture',
    (_request, response) => void response.type('image/png').send(Buffer.from([137, 80, 78, 71])),
  );
  app.get('/v1/large', (_request, response) => void response.json({ large: 'x'.repeat(50_000) }));
  app.all('/v1/status/:status', (request, response) => {
    response.status(Number(request.params.status)).set('retry-after', '3').json({ told: 'no' });
  });
  app.get('/v1/away', (_request, response) => {
    response.redirect('http://169.254.169.254/latest');
  });
  app.use((_request, response) => void response.json({ ok: true }));
  server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  seen.splice(0);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

export type Operation = Record<string, unknown>;

export function aDocument(paths: Record<string, Record<string, Operation>>, more: object = {}): object {
  const responses = { 200: { description: 'fine' } };
  const withResponses = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => [method, { responses, ...operation }]),
    ),
  ]);
  return {
    openapi: '3.0.3',
    info: { title: 'test', version: '1' },
    servers: [{ url: '{origin}/v1', variables: { origin: { default: origin } } }],
    paths: Object.fromEntries(withResponses) as unknown,
    ...more,
  };
}

export function aToolset(specDict: object, options: OpenAPIToolsetOptions = {}): OpenAPIToolset {
  return new OpenAPIToolset({ specDict, allow: [origin], ...options });
}

export function aContext(state: Record<string, unknown> = {}): Context {
  const scope = {
    ...{ invocationId: 'e-1', agentName: 'root', signal: new AbortController().signal },
    session: { ...session, state },
    artifactService,
  };
  return new Context(scope, {
    functionCallId: 'c-1',
    idempotencyKey: 'key-1',
    actions: createEventActions(),
  });
}

/** Runs the one tool of a path; answers what the model reads and what the server saw. */
export async function call(
  operation: Operation,
  args: Record<string, unknown>,
  { path = '/x', method = 'get', context = aContext(), ...options }: CallOptions = {},
): Promise<{ answer: unknown; request: Seen | undefined }> {
  const document = aDocument({ [path]: { [method]: operation } }, options.more);
  const { more: _more, ...toolset } = options;
  const [tool] = await aToolset(document, toolset).getTools();
  const answer = await tool?.runAsync({ args, toolContext: context });
  return { answer, request: seen.at(-1) };
}

export interface CallOptions extends OpenAPIToolsetOptions {
  readonly path?: string;
  readonly method?: string;
  readonly context?: Context;
  readonly more?: object;
}

export const inQuery = (name: string, more: object = {}) => ({ name, in: 'query', schema: {}, ...more });
