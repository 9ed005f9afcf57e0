import { HealthServer } from './health-server';

// On loopback, and without anything else: how a port answers cannot be told without asking it.
describe('HealthServer', () => {
  let health: HealthServer;
  let url: string;

  beforeEach(async () => {
    health = new HealthServer({ host: '127.0.0.1', port: 0 });
    url = await health.listen();
  });
  afterEach(() => health.close());

  async function get(path: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(url + path);
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  it('lives from the start, and is ready once started while all it needs is up', async () => {
    let isUp = true;
    health.check('nats', () => isUp);
    health.check('postgres', async () => true);

    expect(await get('/health')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await get('/ready')).toMatchObject({ status: 503, body: { status: 'starting' } });
    health.started();
    expect(await get('/ready')).toEqual({
      status: 200,
      body: { status: 'ok', checks: { nats: 'up', postgres: 'up' } },
    });
    isUp = false;
    expect(await get('/ready')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { nats: 'down', postgres: 'up' } },
    });
  });

  it('takes a check that throws for down', async () => {
    health.started();
    health.check('postgres', () => Promise.reject(new Error('no')));

    expect(await get('/ready')).toMatchObject({ status: 503, body: { checks: { postgres: 'down' } } });
  });

  it('is ready without what it can do without, and says that it is away', async () => {
    health.started();
    health.check('nats', () => true);
    health.checkOptional('objects', () => Promise.reject(new Error('away')));

    expect(await get('/ready')).toEqual({
      status: 200,
      body: { status: 'degraded', checks: { nats: 'up', objects: 'down' } },
    });
  });

  it('answers within two seconds, whatever it waits for', async () => {
    health.started();
    health.check('postgres', () => new Promise<boolean>(() => undefined));
    const startedAtMs = performance.now();

    expect(await get('/ready')).toMatchObject({ status: 503, body: { checks: { postgres: 'down' } } });
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
  });

  it('tells in its figures what is there and whether it is ready', async () => {
    health.started();
    health.check('nats', () => true);
    health.check('postgres', () => false);

    const { body } = await get('/metrics');

    expect(body).toContain('skein_ready 0\n');
    expect(body).toContain('skein_dependency_up{dependency="nats"} 1\n');
    expect(body).toContain('skein_dependency_up{dependency="postgres"} 0\n');
  });

  it('is not ready while it drains', async () => {
    health.started();
    health.draining();

    expect(await get('/ready')).toMatchObject({ status: 503, body: { status: 'draining' } });
    expect(await get('/health')).toMatchObject({ status: 200 });
  });

  it('serves figures, and nothing else', async () => {
    health.metrics.counter('calls_total', 'Calls made.').increment();

    expect(await get('/metrics')).toMatchObject({
      status: 200,
      body: expect.stringContaining('calls_total 1'),
    });
    expect(await get('/../etc/passwd')).toMatchObject({ status: 404 });
  });

  it('says which port is taken', async () => {
    const second = new HealthServer({ host: '127.0.0.1', port: Number(new URL(url).port) });

    await expect(second.listen()).rejects.toMatchObject({ code: 'health.port' });
  });
});
