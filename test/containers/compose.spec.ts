import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getFunctionResponses } from '@skein/engine';
import { freePort } from '@skein/stack';
import { Client, textOf } from '../support/client';
import { docker, repository } from './support/docker';
import { images } from './support/images';
import { ownProject } from './support/leftovers';
import { report } from './support/report';

const WORKERS = 4;
const CONTENT = 'what was noted';
const FIVE_MINUTES = 300_000;

describe('docker compose', () => {
  const secrets = mkdtempSync(path.join(tmpdir(), 'skein-secrets-'));
  let url = '';
  let port = 0;

  /** `docker compose …` with the images under test, and secrets of its own. */
  function compose(...args: readonly string[]): Promise<string> {
    const env = {
      SKEIN_IMAGE: images.skein,
      NATS_IMAGE: images.nats,
      POSTGRES_IMAGE: images.postgres,
      S3_IMAGE: images.s3,
      SKEIN_SECRETS: path.join(secrets, 'made'),
      SKEIN_PORT: String(port),
      AGENTS_DIR: './examples/agents',
    };
    return docker(['compose', '--project-name', ownProject, ...args], { env, deadlineMs: FIVE_MINUTES });
  }

  /** Settles once every container is healthy; throws what they said when one is not. */
  async function up(...args: readonly string[]): Promise<void> {
    try {
      await compose('up', '--detach', '--wait', '--no-build', ...args);
    } catch (cause) {
      throw new Error(await compose('logs', '--tail', '20'), { cause });
    }
  }

  function contentUrl(version: number | 'latest'): string {
    const session = new Client(url, 'quickstart').sessionPath('s1');
    return `${url}${session}/artifacts/notes.txt/versions/${version}/content`;
  }

  /** In every network it is in. */
  async function addressesOf(service: string): Promise<string[]> {
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
    const said = await docker(['inspect', '--format', format, await compose('ps', '--quiet', service)]);
    return said.trim().split(' ');
  }

  /** What each answers to the first container of a service: a status, or why there is none. */
  async function fetchedFrom(service: string, urls: readonly string[]): Promise<unknown> {
    const ask = `const ask = (url) => fetch(url, { signal: AbortSignal.timeout(3000) }).then(
      (answer) => String(answer.status), (error) => error.cause?.code ?? error.name);
      Promise.all(process.argv.slice(1).map(ask)).then((said) => console.log(JSON.stringify(said)));`;
    return JSON.parse(await compose('exec', '--no-TTY', service, 'node', '-e', ask, ...urls)) as unknown;
  }

  beforeAll(async () => {
    execFileSync(process.execPath, [
      path.join(repository, 'deploy/make-secrets.mjs'),
      path.join(secrets, 'made'),
    ]);
    port = await freePort();
    url = `http://127.0.0.1:${port}`;
  });

  afterAll(async () => {
    await compose('down', '--volumes', '--timeout', '5');
    rmSync(secrets, { recursive: true, force: true });
  }, FIVE_MINUTES);

  it(
    'goes from nothing to a first answer, with four workers',
    async () => {
      const begunMs = performance.now();

      await up('--scale', `tool-worker=${WORKERS}`);
      const said = 'What is the weather and the time in Paris?';
      const { status, body } = await new Client(url, 'quickstart').run('s1', said, {
        autoCreateSession: true,
      });
      report(
        'figure',
        `docker compose up to the first answer: ${Math.round((performance.now() - begunMs) / 1_000)} s`,
      );

      expect(status).toBe(200);
      expect(body.flatMap(getFunctionResponses)).toHaveLength(2);
      expect(textOf(body.at(-1))).toContain('Paris');
      expect((await compose('ps', '--quiet', 'tool-worker')).split('\n')).toHaveLength(WORKERS);
    },
    FIVE_MINUTES,
  );

  it('keeps artifacts in the S3 server', async () => {
    const saved = await fetch(contentUrl(0), { method: 'PUT', body: CONTENT });

    expect(await saved.text()).toContain('"version":0');
    expect(await (await fetch(contentUrl('latest'))).text()).toBe(CONTENT);
    const folders = await compose('exec', '--no-TTY', 'gateway', 'ls', '/data');
    expect(folders.split('\n')).not.toContain('objects');
  });

  it('reads with every profile what watches', async () => {
    const services = await compose('--profile', 'observability', 'config', '--services');

    expect(services.split('\n')).toEqual(
      expect.arrayContaining(['otel-collector', 'jaeger', 'prometheus', 'grafana']),
    );
  });

  it('publishes the gateway on loopback, and nothing else', async () => {
    const ids = (await compose('ps', '--quiet')).split('\n');
    const published = await Promise.all(ids.map((id) => docker(['port', id])));

    expect(published.filter((text) => text !== '')).toEqual([`8000/tcp -> 127.0.0.1:${port}`]);
  });

  it('shows no secret in the environment of a container', async () => {
    const ids = (await compose('ps', '--quiet')).split('\n');
    const environments = await docker(['inspect', '--format', '{{json .Config.Env}}', ...ids]);

    expect(environments).toContain('DATABASE_URL_FILE=/run/secrets/database_url');
    expect(environments).not.toMatch(/[0-9a-f]{48}/);
  });

  it.each(['tool-worker', 'runner'])(
    'lets %s near no gateway, and not near what NATS tells of itself',
    async (service) => {
      const addresses = await addressesOf('gateway');
      const urls = ['gateway', ...addresses].map((host) => `http://${host}:8000/list-apps`);

      expect(addresses).toHaveLength(1);
      // It is there, and answers to other hosts' names alone.
      expect(await fetchedFrom('gateway', urls)).toEqual(['403', '403']);
      const refused = await fetchedFrom(service, [...urls, 'http://nats:8222/varz']);
      expect(refused).toEqual(['ENOTFOUND', 'TimeoutError', 'ECONNREFUSED']);
    },
    60_000,
  );

  it(
    'comes back with what it held after it was taken down',
    async () => {
      await compose('down', '--timeout', '40');
      await up();

      const { events } = await new Client(url, 'quickstart').getSession('s1');
      expect(textOf(events.at(-1))).toContain('Paris');
    },
    FIVE_MINUTES,
  );
});
