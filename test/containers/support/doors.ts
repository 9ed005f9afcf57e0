import path from 'node:path';
import { Wait, type StartedTestContainer } from 'testcontainers';
import { images } from './images';
import { MeshContainer } from './mesh-container';
import { type Networks } from './networks';

/** A port of a container of the fleet. */
export interface Door {
  readonly host: string;
  readonly to: number;
}

const FIRST_PORT = 10_000;

/** Addresses, from where the tests run, of ports in the fleet's networks. */
export class Doors {
  private constructor(
    private readonly container: StartedTestContainer,
    private readonly ports: ReadonlyMap<string, number>,
  ) {}

  /** What is behind a door need not be there yet. */
  static async open(doors: readonly Door[], networks: Networks): Promise<Doors> {
    const numbered = doors.map((door, index) => ({ ...door, port: FIRST_PORT + index }));
    const container = await new MeshContainer(images.skein, 'door', networks, ['bus', 'tools', 'data'])
      .withEntrypoint(['node', '/door.mjs'])
      .withCopyFilesToContainer([{ source: path.join(__dirname, 'door.mjs'), target: '/door.mjs' }])
      .withEnvironment({ DOORS: JSON.stringify(numbered) })
      // That of the image asks a service.
      .withHealthCheck({ test: ['CMD', 'true'] })
      .withExposedPorts(...numbered.map(({ port }) => port))
      .withWaitStrategy(Wait.forLogMessage('every door is open'))
      .start();
    const ports = numbered.map(
      ({ host, to, port }) => [`${host}:${to}`, container.getMappedPort(port)] as const,
    );
    return new Doors(container, new Map(ports));
  }

  /** `address:port` of what is behind this door. */
  addressOf({ host, to }: Door): string {
    const port = this.ports.get(`${host}:${to}`);
    if (port === undefined) throw new Error(`there is no door to ${host}:${to}`);
    return `${this.container.getHost()}:${port}`;
  }
}
