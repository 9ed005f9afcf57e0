import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { mayComeInFile } from '../libs/platform/src/config/secrets';

const root = path.join(__dirname, '..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const dockerfile = textOf('Dockerfile');
const compose = textOf('docker-compose.yml');
const SERVICES = ['gateway', 'session-svc', 'runner', 'tool-worker'];

/** All first groups of a pattern, each once, sorted. */
function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, group = '']) => group))].sort();
}

/** The lines of each service of the compose file, by its name. */
function composeServices(): ReadonlyMap<string, string> {
  const section = /^services:\n([^]*?)^networks:/m.exec(compose)?.[1] ?? '';
  return new Map(
    section
      .split(/^(?= {2}[a-z0-9-]+:\n)/m)
      .map((text): [string, string] => [/^ {2}([a-z0-9-]+):/.exec(text)?.[1] ?? '', text])
      .filter(([name]) => name !== ''),
  );
}

describe('the image', () => {
  it('is built with what every builder knows', () => {
    expect(dockerfile).not.toMatch(/^(COPY|ADD|RUN) .*--(chmod|mount|link|parents)/m);
    expect(dockerfile).not.toMatch(/<<\w|^# *syntax/im);
  });

  it('has what the lock file says, and runs no script of a package', () => {
    const installs = dockerfile.split('\n').filter((line) => /\bnpm (ci|install|i|prune|add)\b/.test(line));

    expect(installs).toHaveLength(2);
    for (const line of installs) expect(line).toContain('--ignore-scripts');
    expect(installs[0]).toContain('npm ci ');
  });

  it('is not run as root, and its first process is node', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(last).toMatch(/^ENTRYPOINT \["node", /m);
  });

  it('has a command for each app', () => {
    const apps = readdirSync(path.join(root, 'apps'));
    const commands = found(
      textOf('tools/image/start.mjs'),
      /^ {2}'?([a-z-]+)'?: '[a-z-]+\/src\/\w+\.js',$/gm,
    );

    expect(commands).toEqual([...apps, 'import', 'migrate'].sort());
  });

  it('is given no more of the repository than it names', () => {
    const lines = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));

    expect(lines[0]).toBe('*');
    const copied = found(dockerfile, /^COPY (?!--from)(.+) \S+$/gm).flatMap((names) => names.split(' '));
    for (const name of copied) expect(lines).toContain(`!${name}`);
  });

  it('is given no key of a folder that it names', () => {
    const lines = textOf('.dockerignore').split('\n');
    const afterAllThatIsNamed = lines.slice(lines.findLastIndex((line) => line.startsWith('!')));

    expect(afterAllThatIsNamed).toEqual(expect.arrayContaining(['**/.env*', '**/*.pem', '**/*.key']));
  });

  it('can be read by its user, whatever the modes of the checkout are', () => {
    const [, build = '', last = ''] = dockerfile.split('\nFROM ');
    const opened = /^RUN chmod -R u=rwX,go=rX (.+)$/m.exec(build)?.[1]?.split(' ') ?? [];
    const copied = found(last, /^COPY --from=build (\S+) \S+$/gm).map((name) => name.replace(/^\/app\//, ''));

    expect(last.match(/^(COPY|ADD) /gm)).toHaveLength(copied.length);
    // npm makes its files under the umask of the build.
    expect(opened.sort()).toEqual(copied.filter((name) => name !== 'node_modules').sort());
    expect(build.indexOf('RUN chmod')).toBeGreaterThan(build.lastIndexOf('COPY '));
  });
});

describe('docker-compose.yml', () => {
  const services = composeServices();

  /** Of those that say nothing, the networks of every app's template. */
  function networksOf(name: string): string[] {
    const said = /^ {4}networks: \[(.+)\]$/m.exec(services.get(name) ?? '')?.[1];
    return (said ?? 'bus').split(', ');
  }

  it('has the servers, the four services and what watches them', () => {
    const servers = ['postgres', 'nats', 'minio', 's3-account', 'migrate'];
    const watching = ['otel-collector', 'jaeger', 'prometheus', 'grafana'];

    expect([...services.keys()]).toEqual([
      ...servers,
      ...['session-svc', 'runner', 'tool-worker', 'gateway'],
      ...watching,
    ]);
    for (const name of watching) expect(services.get(name)).toContain('profiles: [observability]');
  });

  it('publishes the gateway, and of those that watch one, on loopback alone', () => {
    const publishing = [...services].filter(([, text]) => text.includes('ports:'));

    expect(publishing.map(([name]) => name)).toEqual(['gateway', 'grafana']);
    for (const [, text] of publishing) expect(text).toMatch(/ports: \['127\.0\.0\.1:/);
    expect(compose).not.toMatch(/container_name|network_mode|privileged|docker\.sock/);
  });

  it('lets nobody but session-svc and migrate come near the database', () => {
    const near = [...services].filter(([, text]) => /networks: \[.*\bdata\b|database_url/.test(text));

    expect(near.map(([name]) => name)).toEqual(['postgres', 'migrate', 'session-svc']);
  });

  it('gives no code of an author a way to the sockets that every session is read by', () => {
    const readers = [...services].filter(([, text]) => /volumes: .*\*reads/.test(text));

    expect(readers.map(([name]) => name)).toEqual(['session-svc', 'gateway']);
    expect(found(dockerfile, /(\/data\/\w+)/g)).toEqual(found(compose, /:(\/data\/\w+)$/gm));
  });

  it('gives no tool a network in which somebody answers to whoever asks', () => {
    const met = ['runner', 'tool-worker'].flatMap((worker) => {
      const shared = networksOf(worker);
      return [...services.keys()].filter((name) => networksOf(name).some((one) => shared.includes(one)));
    });

    // Prometheus and the collector know figures and names of spans, nobody's sessions.
    expect(new Set(met)).toEqual(
      new Set(['runner', 'tool-worker', 'nats', 'minio', 'otel-collector', 'prometheus']),
    );
    expect(compose.match(/^ {2}networks: \[bus\]$/gm)).toHaveLength(1);
  });

  it('keeps what NATS tells without a password within its container', () => {
    expect(textOf('deploy/nats.conf')).toMatch(/^http: 127\.0\.0\.1:8222$/m);
    expect(services.get('nats')).toContain('./deploy/nats.conf:/etc/nats.conf:ro');
    expect(services.get('nats')).toContain('http://127.0.0.1:8222/healthz');
    expect(compose).not.toContain('--http_port');
  });

  it('shows no secret in the environment of a container', () => {
    const set = found(compose, /^ +([A-Z][A-Z0-9_]+): /gm);
    const interpolated = found(compose, /\$\{(\w+)/g);
    const isSecret = (name: string): boolean =>
      mayComeInFile(name) || /PASSWORD|SECRET|TOKEN|_KEY$/.test(name);

    // A key's name, and the folder of secrets.
    expect(set.filter(isSecret).filter((name) => !name.endsWith('_FILE'))).toEqual(['S3_ACCESS_KEY']);
    expect(interpolated.filter(isSecret)).toEqual(['SKEIN_SECRETS']);
  });

  it("lets root's account of the S3 server to nobody but the server and who makes the services' account", () => {
    const holders = [...services].filter(([, text]) => /secrets: \[.*\bs3_root_password\b/.test(text));

    expect(holders.map(([name]) => name)).toEqual(['minio', 's3-account']);
    expect(services.get('session-svc')).toContain(
      's3-account: { condition: service_completed_successfully }',
    );
  });

  it('knows when a server cannot serve yet, and when a step that comes first has failed', () => {
    expect(services.get('minio')).toContain('[[ $$line == HTTP/*\\ [234]* ]]');
    const steps = [...services].filter(([, text]) => /^ {4}restart: on-failure/m.test(text));

    expect(steps.map(([name]) => name)).toEqual(['s3-account', 'migrate']);
    for (const [, text] of steps) expect(text).toMatch(/^ {4}restart: on-failure:\d+$/m);
  });

  it('keeps the database in its volume, whatever version the image is of', () => {
    expect(services.get('postgres')).toMatch(/PGDATA: \/var\/lib\/postgresql\/[\w/]+$/m);
    expect(services.get('postgres')).toContain("'postgres:/var/lib/postgresql'");
  });

  it('lets no container take all the processes, the memory of /tmp or the disk for logs', () => {
    const app = /^x-app: &app\n([^]*?)\n\n/m.exec(compose)?.[1] ?? '';

    for (const line of ['init: true', 'pids_limit: 512', "tmpfs: ['/tmp:size=64m']", 'read_only: true'])
      expect(app).toContain(`  ${line}\n`);
    expect(app).toContain('  logging: *logging');
    for (const [name, text] of services)
      expect([name, /<<: \*app|logging: \*logging/.test(text)]).toEqual([name, true]);
  });

  it('takes the folder of agents for a folder, however it is written', () => {
    expect(compose).toMatch(/^x-agents: &agents\n {2}type: bind\n {2}source: \$\{AGENTS_DIR:-/m);
    expect(compose).toContain('  bind: { create_host_path: false }');
  });

  it('turns traces on with the profile, and leaves .env in force', () => {
    expect(compose).toContain(
      'OTEL_EXPORTER_OTLP_ENDPOINT: ${OTEL_EXPORTER_OTLP_ENDPOINT:-${COMPOSE_PROFILES:+http://otel-collector:4318}}',
    );
    for (const text of [compose, textOf('docs/how-to/deploy.md')]) expect(text).not.toContain('--env-file');
  });

  it('builds the image once, for those who start after its service', () => {
    const building = [...services].filter(([, text]) => text.includes('    build: '));

    expect(building.map(([name]) => name)).toEqual(['migrate']);
    expect(compose.match(/^ +build: /gm)).toHaveLength(1);
  });

  it('is started with the image of what is checked out', () => {
    const starts = [compose, textOf('docs/how-to/deploy.md')].flatMap((text) =>
      text.split('\n').filter((line) => line.includes('docker compose') && / up\b/.test(line)),
    );

    expect(starts.length).toBeGreaterThan(4);
    for (const line of starts) expect(line).toMatch(/ up (--build|--no-build) /);
  });
});

describe('what watches', () => {
  it('asks every service at the port of its health', () => {
    const prometheus = textOf('deploy/prometheus.yml');

    expect(found(prometheus, /names: \[([a-z-]+)\]/g)).toEqual([...SERVICES].sort());
    expect(found(prometheus, /port: (\d+)/g)).toEqual(found(dockerfile, /HEALTH_PORT=(\d+)/g));
  });
});
