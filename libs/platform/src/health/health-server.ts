import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { AdkError } from '@skein/contracts';
import { Metrics, METRICS_TYPE } from '../metrics/metrics';

/** Whether what a process depends on is there. A throw, or no answer in 1.5 s, means it is not. */
export type HealthCheck = () => boolean | Promise<boolean>;

interface HealthServerOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Less than a probe waits, and than Metrics waits for a figure. */
const CHECK_TIMEOUT_MS = 1_500;

/** Answers /health, /ready and /metrics on a port of its own, so that neither load nor auth of the app hides them. */
export class HealthServer {
  readonly metrics = new Metrics();
  readonly #checks = new Map<string, HealthCheck>();
  /** What this process can do without. */
  readonly #optional = new Set<string>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #isStarted = false;
  #isDraining = false;

  constructor(private readonly options: HealthServerOptions) {
    this.metrics.gauge('skein_ready', 'Whether /ready answers 200.', async () => {
      const { isReady } = await this.readiness();
      return Number(isReady);
    });
    this.metrics.gauge(
      'skein_dependency_up',
      'Whether what this process depends on is there, by name.',
      async () => {
        const checked = await this.#check();
        return checked.map(([dependency, isThere]) => [{ dependency }, Number(isThere)]);
      },
    );
  }

  /** Something without which this process is not ready, as `postgres`. */
  check(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** Something without which this process does most of its work, as the object store: told of, and no more. */
  checkOptional(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
    this.#optional.add(name);
  }

  /** Answers the URL. Not ready before `started`. */
  async listen(): Promise<string> {
    const { host, port } = this.options;
    this.#server.listen(port, host);
    try {
      await once(this.#server, 'listening');
    } catch (cause) {
      throw new AdkError('unavailable', 'health.port', `HEALTH_PORT ${port} of ${host} cannot be used`, {
        cause,
      });
    }
    const { address, family, port: taken } = this.#server.address() as AddressInfo; // Listening on TCP, by the lines above.
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
  }

  /** From now on the checks decide. */
  started(): void {
    this.#isStarted = true;
  }

  /** Readiness goes off first, so that no new work arrives while the old one ends. */
  draining(): void {
    this.#isDraining = true;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** What /ready answers; also for an app that serves it on its own port. */
  async readiness(): Promise<{ readonly isReady: boolean; readonly body: object }> {
    const checked = await this.#check();
    const isWhole = checked.every(([, up]) => up);
    const hasNeeded = checked.every(([name, up]) => up || this.#optional.has(name));
    const isReady = this.#isStarted && !this.#isDraining && hasNeeded;
    const checks = Object.fromEntries(checked.map(([name, up]) => [name, up ? 'up' : 'down']));
    return { isReady, body: { status: isReady && !isWhole ? 'degraded' : this.#status(isReady), checks } };
  }

  async #check(): Promise<(readonly [name: string, isUp: boolean])[]> {
    return Promise.all([...this.#checks].map(async ([name, check]) => [name, await isUp(check)] as const));
  }

  #status(isReady: boolean): string {
    if (isReady) return 'ok';
    if (this.#isDraining) return 'draining';
    return this.#isStarted ? 'unavailable' : 'starting';
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, body } = await this.#answerTo(request.url?.split('?')[0] ?? '');
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  }

  async #answerTo(path: string): Promise<Answer> {
    switch (path) {
      case '/health':
        return json(200, { status: 'ok' });
      case '/ready': {
        const { isReady, body } = await this.readiness();
        return json(isReady ? 200 : 503, body);
      }
      case '/metrics':
        return { status: 200, type: METRICS_TYPE, body: await this.metrics.render() };
      default:
        return json(404, { status: 'not found' });
    }
  }
}

function json(status: number, body: object): Answer {
  return { status, type: 'application/json', body: `${JSON.stringify(body)}\n` };
}

async function isUp(check: HealthCheck): Promise<boolean> {
  const tooLate = new AbortController();
  try {
    const late = delay(CHECK_TIMEOUT_MS, false, { signal: tooLate.signal, ref: false });
    late.catch(() => undefined); // Aborted, because the check answered.
    return await Promise.race([check(), late]);
  } catch {
    return false; // Why it is down is in the log of whoever noticed.
  } finally {
    tooLate.abort();
  }
}
