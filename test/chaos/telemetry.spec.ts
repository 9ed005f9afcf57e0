import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { row } from './support/row';
import { aSessionId, sameForm, say, untilWhole } from './support/scenes';

const QUEUE = 40;
const TELEMETRY = {
  OTEL_BSP_MAX_QUEUE_SIZE: String(QUEUE),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
  OTEL_BSP_SCHEDULE_DELAY: '100',
};
/** What the flush of spans may take at the end, by libs/platform/src/telemetry, and as much for the rest of it. */
const END_MS = 3_000 + 5_000;

describe('the collector of traces is in trouble', () => {
  let fleet: Fleet;
  let collector: HangingCollector;
  let untroubled: Awaited<ReturnType<typeof sameForm>>;

  beforeAll(async () => {
    collector = await HangingCollector.start();
    fleet = await Fleet.start({
      env: { ...TELEMETRY, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      runners: 2,
      toolWorkers: 1,
    });
  }, 120_000);

  afterAll(async () => {
    await fleet?.stop();
    await collector?.stop();
  }, 60_000);

  async function lost(reason: string): Promise<number> {
    const pattern = new RegExp(`^skein_telemetry_spans_dropped_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
    const texts = await Promise.all(
      fleet.processes
        .filter(({ isRunning }) => isRunning)
        .map(async ({ healthUrl }) => (await fetch(`${healthUrl}/metrics`)).text()),
    );
    return texts.reduce((sum, text) => sum + Number(pattern.exec(text)?.[1]), 0);
  }

  /** Turns with a tool, one after another, until enough is lost. */
  async function turnsUntilLost(reason: string): Promise<number> {
    for (let turns = 1; ; turns++) {
      const sessionId = aSessionId('row45');
      await say(fleet, sessionId, 'count');
      const form = await sameForm(fleet, sessionId);
      untroubled ??= form;
      expect(form).toEqual(untroubled);
      if ((await lost(reason)) > 0) return turns;
      expect(turns).toBeLessThan(30);
    }
  }

  row('row 45: it hangs: runs go on, what does not fit into the queue is dropped and counted', async () => {
    await turnsUntilLost('queue_full');

    expect(collector.requests).toBeGreaterThan(0);
    await untilWhole(fleet);
    await checkInvariants(fleet);
  });

  row('row 45: it hangs: the end of a process waits for it no longer than it may', async () => {
    const startedAtMs = performance.now();

    await fleet.one('runner-2').kill('SIGTERM');

    expect(performance.now() - startedAtMs).toBeLessThan(END_MS);
  });

  row('row 45: it is away: runs go on, what it does not take is counted', async () => {
    await collector.stop();

    await turnsUntilLost('export_failed');

    await untilWhole(fleet);
    await checkInvariants(fleet);
  });
});

/** Takes every connection and what comes over it, and never answers. */
class HangingCollector {
  readonly #sockets = new Set<Socket>();
  requests = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('data', () => void (this.requests += 1));
      socket.on('error', () => undefined); // Whoever tired of waiting is gone.
    });
  }

  static async start(): Promise<HangingCollector> {
    const server = createServer();
    const collector = new HangingCollector(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`; // Listening on TCP.
  }

  /** From now on connections to it are refused. */
  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
