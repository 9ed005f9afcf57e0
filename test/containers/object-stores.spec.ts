import { S3ObjectStore } from '@skein/artifact-store';
import { type S3Server, s3ServerContract, type Waived } from '@skein/testing';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { makeOf, WAIVED } from '../object-store/s3-makes';
import { waitUntil } from '../support/wait-until';
import { images } from './support/images';
import { ownerLabels } from './support/leftovers';
import { report } from './support/report';

interface Served {
  readonly what: string;
  readonly image: string;
  readonly port: number;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  /** A path that is answered with this once it serves. */
  readonly ready: readonly [path: string, status: number];
}

const SERVERS: readonly Served[] = [
  {
    what: 'the S3 server of docker-compose.yml',
    image: images.s3,
    port: 9000,
    accessKey: 'skein',
    secretKey: 'a-secret-of-the-contract',
    env: { MINIO_ROOT_USER: 'skein', MINIO_ROOT_PASSWORD: 'a-secret-of-the-contract' },
    command: ['server', '/data'],
    // MinIO refuses those it does not know, a Ceph RGW shows them nothing.
    ready: ['/', 0],
  },
  {
    what: 'OpenStack Swift',
    image: images.swift,
    port: 8080,
    accessKey: 'test:tester',
    secretKey: 'testing',
    ready: ['/healthcheck', 200],
  },
];

// Servers that others keep busy are slow.
jest.setTimeout(120_000);

describe.each(SERVERS)('$what', ({ image, port, accessKey, secretKey, env, command, ready }) => {
  let container: StartedTestContainer | undefined;
  let server: S3Server;
  let waived: Waived;

  beforeAll(async () => {
    const [path, status] = ready;
    container = await new GenericContainer(image)
      .withLabels(ownerLabels)
      .withExposedPorts(port)
      .withEnvironment({ ...env })
      .withCommand([...(command ?? [])])
      .withWaitStrategy(Wait.forHttp(path, port).forStatusCodeMatching((code) => !status || code === status))
      .withStartupTimeout(120_000)
      .start();
    const endpoint = `http://${container.getHost()}:${container.getMappedPort(port)}`;
    server = { endpoint, region: 'us-east-1', accessKey, secretKey };
    // What answers first is not all of it.
    const first = new S3ObjectStore({ ...server, bucket: 'first' });
    const isMade = (): Promise<true | undefined> =>
      first.prepare().then(
        () => true,
        () => undefined,
      );
    await waitUntil('the first bucket', isMade, 90_000);
    const make = await makeOf(endpoint);
    waived = WAIVED[make];
    report('container', `${image}, which is ${make}: the contract of S3 servers, ${counted(waived)} waived`);
  }, 240_000);
  afterAll(async () => {
    await container?.stop();
  }, 60_000);

  s3ServerContract(
    'S3ObjectStore',
    async () => server,
    async () => waived,
  );
});

function counted(waived: Waived): string {
  return String(Object.keys(waived).length);
}
