import { Late } from './late';
import { Cleanup, type RunningService, type ServiceGround, startServiceGround } from './session-svc-harness';

const START_MS = 120_000;

type Settings = Record<string, string>;

/** What the tests of a spec stand on: there once they run, gone after them. */
export interface SessionServices {
  readonly ground: ServiceGround;
  /** The session-svc that was started last. */
  readonly service: RunningService;
  /** One more, until the test ends. */
  startAnother(settings?: Settings): Promise<void>;
  /** Run after each test, before its service ends. */
  readonly cleanup: Cleanup;
  /** Run after the last test, before the services of all tests end. */
  readonly atEnd: Cleanup;
}

/** So many session-svcs, which all tests of the spec share. */
export function sharedServices(settings: Settings = {}, count = 1): SessionServices {
  const services = new SpecServices();
  beforeAll(async () => {
    await services.startGround();
    for (let n = 0; n < count; n++) await services.startService(services.atEnd, settings);
  }, START_MS);
  services.endWithSpec();
  return services;
}

/** A session-svc for each test. */
export function servicePerTest(settings: Settings = {}): SessionServices {
  const services = new SpecServices();
  beforeAll(() => services.startGround(), START_MS);
  beforeEach(() => services.startService(services.cleanup, settings));
  services.endWithSpec();
  return services;
}

class SpecServices implements SessionServices {
  readonly cleanup = new Cleanup();
  readonly atEnd = new Cleanup();
  readonly ground = new LateGround();
  readonly #service = new Late<RunningService>();

  get service(): RunningService {
    return this.#service.get();
  }

  async startGround(): Promise<void> {
    const ground = this.ground.set(await startServiceGround());
    this.atEnd.add(() => ground.stop());
  }

  startAnother(settings: Settings = {}): Promise<void> {
    return this.startService(this.cleanup, settings);
  }

  async startService(cleanup: Cleanup, settings: Settings): Promise<void> {
    const service = this.#service.set(await this.ground.startService(settings));
    cleanup.add(() => service.stop());
  }

  endWithSpec(): void {
    afterEach(() => this.cleanup.run());
    afterAll(() => this.atEnd.run());
  }
}

/** One that a spec names before it is there. */
class LateGround extends Late<ServiceGround> implements ServiceGround {
  get database(): ServiceGround['database'] {
    return this.get().database;
  }

  get natsUrl(): string {
    return this.get().natsUrl;
  }

  get connection(): ServiceGround['connection'] {
    return this.get().connection;
  }

  get rpc(): ServiceGround['rpc'] {
    return this.get().rpc;
  }

  startService(...how: Parameters<ServiceGround['startService']>): Promise<RunningService> {
    return this.get().startService(...how);
  }

  stop(): Promise<void> {
    return this.get().stop();
  }
}
