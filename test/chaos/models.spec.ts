import { textOf } from '../support/client';
import { FakeVendor } from './support/fake-vendor';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { row } from './support/row';
import { askedOf, aSessionId, effectsOf, say } from './support/scenes';
import { readStored } from './support/database';

describe('a model misbehaves', () => {
  let vendor: FakeVendor;
  let fleet: Fleet;

  beforeAll(async () => {
    vendor = await FakeVendor.start();
    fleet = await Fleet.start({ env: { FAKE_MODEL_URL: vendor.server.baseUrl } });
  }, 120_000);

  afterAll(async () => {
    await fleet?.stop();
    await vendor?.server.stop();
  }, 60_000);

  describe.each(['calm', 'storm twice', 'hang once'])('%s', (fault) => {
    row('row 39: what passes is tried again, and the answer comes', async () => {
      const { events, failure } = await say(fleet, aSessionId('row39'), fault, 'vendor');

      expect([failure, events.map(textOf)]).toEqual([undefined, ['Fine.']]);
    });
  });

  describe.each([
    ['storm', 'ClientError'],
    ['overloaded', 'ServerError'],
    ['hang', 'ModelError'],
    ['hang in the middle', 'ModelError'],
    ['truncated', 'ModelError'],
    ['bad json', 'ModelError'],
  ])('%s', (fault, code) => {
    row('row 39: what does not pass ends in an error event after a bounded number of tries', async () => {
      const sessionId = aSessionId('row39');

      const { failure, tookMs } = await say(fleet, sessionId, fault, 'vendor');

      expect(failure).toBeDefined();
      expect(tookMs).toBeLessThan(20_000);
      expect(vendor.requests.get(fault)).toBeLessThanOrEqual(4);
      const { events, invocations } = await readStored(fleet.databaseUrl);
      expect(invocations.find((one) => one.sessionId === sessionId)?.status).toBe('failed');
      const errors = events.filter((event) => event.sessionId === sessionId && event.errorCode);
      expect(errors.map(({ errorCode }) => errorCode)).toContain(code);
      await checkInvariants(fleet);
    });
  });

  row('row 39: two calls of one id, side by side, each run once under a key of its own', async () => {
    const sessionId = aSessionId('row39');

    const { events } = await say(fleet, sessionId, 'twins', 'odd');

    expect(textOf(events.at(-1))).toBe('Touched.');
    const keys = effectsOf(fleet, sessionId)
      .filter(({ phase }) => phase === 'begin')
      .map(({ idempotencyKey }) => idempotencyKey);
    expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
  });

  row('row 39: a tool nobody has: the run ends with an error that names it', async () => {
    const sessionId = aSessionId('row39');

    const { failure = '', events } = await say(fleet, sessionId, 'stranger', 'odd');

    expect(failure + JSON.stringify(events)).toContain('nobody_has_this');
    await checkInvariants(fleet);
  });

  row('row 39: a model that calls for ever is stopped by maxLlmCalls', async () => {
    const sessionId = aSessionId('row39');

    const { failure } = await say(fleet, sessionId, 'for ever', 'odd');

    expect(failure).toMatch(/call/i);
    expect(askedOf(fleet, sessionId)).toHaveLength(6);
    await checkInvariants(fleet);
  });
});
