import path from 'node:path';
import { type NatsAccess } from '@skein/stack';
import { Wait } from 'testcontainers';
import { ContainerServer } from './container-server';
import { ControlledContainer } from './controlled-container';
import { type Doors } from './doors';
import { repository } from './docker';
import { images } from './images';
import { MeshContainer } from './mesh-container';
import { type Networks } from './networks';

/** Of every server: nothing here is worth guarding. */
const PASSWORD = 'a password of the container tests';
/** What the fleets sign their tickets with, and make the passwords of NATS of. */
export const SECRET = 'a secret of the container tests';
/** Asked often and cheaply, so that a restart is noticed at once. */
const OFTEN = { interval: 500, timeout: 3_000, retries: 180 };

export const SERVER_DOORS = {
  postgres: { host: 'postgres', to: 5432 },
  nats: { host: 'nats', to: 4222 },
} as const;

/** As the services are told of them, inside the fleet's networks. */
export const INSIDE = {
  DATABASE_URL: `postgresql://skein:${encodeURIComponent(PASSWORD)}@postgres:5432/skein`,
  NATS_URL: 'nats://nats:4222',
} as const;

export const S3_ENVIRONMENT = {
  S3_ENDPOINT: 'http://s3:9000',
  S3_REGION: 'us-east-1',
  S3_ACCESS_KEY: 'skein',
  S3_SECRET_KEY: PASSWORD,
  S3_BUCKET: 'skein',
} as const;

/** Who may do what on the fleet's NATS server, and a folder that only the tests read. */
export interface FleetAccess {
  readonly nats: NatsAccess;
  readonly folder: string;
}

export interface FleetServers {
  readonly postgres: ContainerServer;
  readonly nats: ContainerServer;
}

type Sink = (name: string) => (line: string) => void;

/** All at the same time. */
export async function startServers(
  { networks, doors, access }: { networks: Networks; doors: Doors; access: FleetAccess },
  sink: Sink,
): Promise<FleetServers> {
  const start = (name: string, container: MeshContainer): Promise<ControlledContainer> => {
    const waiting = container.withWaitStrategy(Wait.forHealthCheck());
    return ControlledContainer.start({ name, container: waiting, isUp: 'healthy', onLine: sink(name) });
  };
  const [postgres, nats] = await Promise.all([
    start('postgres', postgresContainer(networks)),
    start('nats', natsContainer(networks, access)),
    start('s3', s3Container(networks)),
  ]);
  const databaseUrl = INSIDE.DATABASE_URL.replace('postgres:5432', doors.addressOf(SERVER_DOORS.postgres));
  return {
    postgres: new ContainerServer(postgres, databaseUrl),
    nats: new ContainerServer(nats, access.nats.urlOf(`nats://${doors.addressOf(SERVER_DOORS.nats)}`)),
  };
}

function postgresContainer(networks: Networks): MeshContainer {
  return new MeshContainer(images.postgres, 'postgres', networks, ['data'])
    .withEnvironment({ POSTGRES_USER: 'skein', POSTGRES_DB: 'skein', POSTGRES_PASSWORD: PASSWORD })
    .withHealthCheck({
      test: ['CMD', 'pg_isready', '-h', '127.0.0.1', '-U', 'skein', '-d', 'skein'],
      ...OFTEN,
    });
}

/** As docker-compose.yml has it, with its configuration. */
function natsContainer(networks: Networks, { nats, folder }: FleetAccess): MeshContainer {
  const healthy = 'http://127.0.0.1:8222/healthz?js-server-only=true';
  return new MeshContainer(images.nats, 'nats', networks, ['bus', 'tools'])
    .withCommand(['--config', '/etc/nats.conf'])
    .withCopyFilesToContainer([
      { source: path.join(repository, 'deploy', 'nats.conf'), target: '/etc/nats.conf' },
      { source: nats.write(folder), target: '/run/secrets/nats_conf' },
    ])
    .withHealthCheck({ test: ['CMD', 'wget', '-q', '-O', '/dev/null', healthy], ...OFTEN });
}

function s3Container(networks: Networks): MeshContainer {
  // Any answer will do; servers differ in what they say to nobody.
  const asked = `exec 3<>/dev/tcp/127.0.0.1/9000 && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && read -r -t 2 line <&3 && [[ $line == HTTP/* ]]`;
  return new MeshContainer(images.s3, 's3', networks, ['bus', 'tools'])
    .withCommand(['server', '/data'])
    .withEnvironment({ MINIO_ROOT_USER: 'skein', MINIO_ROOT_PASSWORD: PASSWORD })
    .withHealthCheck({ test: ['CMD', 'bash', '-c', asked], ...OFTEN });
}
