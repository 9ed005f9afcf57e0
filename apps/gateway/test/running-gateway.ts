import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtifactContents, LocalObjectStore, type ObjectStore } from '@skein/artifact-store';
import { HealthServer, silentLogger, type Logger } from '@skein/platform';
import { AgentsFolder } from '../src/agents-folder';
import { ContentLimits } from '../src/artifacts/content-limits';
import { createGateway, type GatewayOptions } from '../src/create-gateway';
import { listen } from '../src/listen';
import { OpenStreams } from '../src/run/open-streams';
import { FakeArtifactMetadata, FakeArtifacts } from './fake-artifacts';
import { sseOptions } from './fake-response';
import { FakeSessionSvc } from './fake-session-svc';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** What each network chunk held. */
  readonly chunks: readonly string[];
}

export interface Question {
  readonly method?: string;
  /** Sent as it is: nothing decodes, normalises or checks it before the gateway. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, with its content type. */
  readonly body?: string | Buffer | object | undefined;
  /** Called with each network chunk of the answer, as it comes. */
  readonly onChunk?: (chunk: string) => void;
}

export interface RunningGateway {
  readonly url: string;
  readonly svc: FakeSessionSvc;
  readonly health: HealthServer;
  readonly agentsDir: string;
  ask(question: Question): Promise<Answer>;
  /** What a shutdown does. */
  stop(): Promise<void>;
}

/** What a test may put in the place of a part. */
interface RunningGatewayParts {
  readonly objects: ObjectStore;
  readonly contentLimits: ContentLimits;
}

/** The gateway's whole HTTP side on a free port, with the apps `quickstart` and `notes` and a fake behind it. */
export async function startGateway(
  logger: Logger = silentLogger,
  options: Partial<GatewayOptions & RunningGatewayParts> = {},
): Promise<RunningGateway> {
  const agentsDir = await makeAgentsDir(await mkdtemp(join(tmpdir(), 'skein-gateway-')));
  const svc = new FakeSessionSvc();
  const health = new HealthServer({ host: '127.0.0.1', port: 0 });
  health.started();
  const objects = options.objects ?? new LocalObjectStore(join(agentsDir, '.objects'));
  const gateway = await createGateway(
    {
      sessions: svc,
      feed: svc.feed,
      deadLetters: svc.deadLetters,
      artifacts: new FakeArtifacts(svc),
      contents: new ArtifactContents(objects, new FakeArtifactMetadata(svc)),
      contentLimits: options.contentLimits ?? new ContentLimits(8 * 1024 * 1024, 30_000),
      agents: new AgentsFolder(agentsDir),
      streams: new OpenStreams(sseOptions),
      health,
      logger,
    },
    {
      host: '127.0.0.1',
      bodyLimitBytes: 8 * 1024 * 1024,
      bodyMs: 60_000,
      drainMs: 0,
      answerMs: 20_000,
      ...options,
    },
  );
  const url = await listen(gateway.server, '127.0.0.1', 0);
  return {
    url,
    svc,
    health,
    agentsDir,
    ask: (question) => ask(url, question),
    stop: async () => {
      await gateway.close();
      await rm(agentsDir, { recursive: true });
    },
  };
}

/** A folder of agents with two apps and two folders that are none. */
export async function makeAgentsDir(directory: string): Promise<string> {
  await addApp(directory, 'quickstart', 'agent.ts');
  await addApp(directory, 'notes', 'agent.mjs');
  await addApp(directory, '_draft', 'agent.ts');
  await addApp(directory, 'empty', 'readme.md');
  return directory;
}

export function ask(url: string, { method, path, headers = {}, body, onChunk }: Question): Promise<Answer> {
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const payload = isJson ? JSON.stringify(body) : body;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = send(
      {
        hostname,
        port,
        path,
        method: method ?? (payload === undefined ? 'GET' : 'POST'),
        headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          onChunk?.(chunk.toString('utf8'));
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
            chunks: chunks.map((chunk) => chunk.toString('utf8')),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}

async function addApp(agentsDir: string, name: string, file: string): Promise<void> {
  await mkdir(join(agentsDir, name), { recursive: true });
  await writeFile(join(agentsDir, name, file), '');
}
