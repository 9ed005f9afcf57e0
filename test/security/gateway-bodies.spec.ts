import { startGateway, type Answer, type RunningGateway } from '../../apps/gateway/test/running-gateway';
import { badBodies, badMessages, type BadBody } from './support/bad-bodies';
import { bodyRoutes, runRoutes, statelessRoutes, type BodyRoute } from './support/routes';

describe('bad bodies', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway();
    gateway.svc.onSubmit = () => {
      gateway.svc.say();
      gateway.svc.end();
    };
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.svc.calls.splice(0));

  const rows: readonly (readonly [string, BadBody, BodyRoute])[] = [
    ...pairs(badBodies, bodyRoutes),
    // What a key of state may be is no matter of theirs.
    ...pairs(
      badBodies.filter(({ row }) => row !== 4),
      statelessRoutes,
    ),
    ...pairs(badMessages, runRoutes),
  ];

  it.each(rows)('%s', async (_name, bad, route) => {
    const prototypeBefore = Object.getOwnPropertyNames(Object.prototype);

    const answer = await gateway.ask({
      method: route.method,
      path: route.path,
      body: bad.body(route),
      ...(bad.headers === undefined ? {} : { headers: bad.headers }),
    });

    expectRefusal(answer, bad);
    expect(gateway.svc.calls).toEqual([]);
    expect(gateway.svc.feed.listeners).toBe(0);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeBefore);
  });

  it.each(bodyRoutes)('row 3: keys of the prototype stay inert in $name', async (route) => {
    const json =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"k":{"__proto__":{"polluted":1}}}';
    const body = JSON.stringify(route.withState('@@')).replace('"@@"', () => json);
    await makeSession(gateway, route);

    const answer = await gateway.ask({ method: route.method, path: route.path, body });

    expect(answer.status).toBe(200);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const sent = JSON.stringify(gateway.svc.calls[0]?.input);
    expect(sent).toContain('"constructor":{"prototype":{"polluted":1}}');
    expect(sent).toContain('"k":{"__proto__":{"polluted":1}}');
    await gateway.ask({ method: 'DELETE', path: '/apps/quickstart/users/user/sessions/bad-input' });
  });

  it.each(bodyRoutes)('rows 4 and 12: legal and strange state is taken as it is by $name', async (route) => {
    const state = { 'APP:': 1, 'app:app:x': 2, 'user:ü': '\u202e😀', ['é'.repeat(128)]: -1.5e-7, n: null };

    await makeSession(gateway, route);

    const { method, path } = route;
    const answer = await gateway.ask({ method, path, body: route.withState(state) });

    expect(answer.status).toBe(200);
    expect(JSON.stringify(gateway.svc.calls[0]?.input)).toContain(JSON.stringify(state));
    await gateway.ask({ method: 'DELETE', path: '/apps/quickstart/users/user/sessions/bad-input' });
  });

  it('row 10: a body without a length is cut off at the limit', async () => {
    const answer = await gateway.ask({
      path: '/run',
      headers: { 'transfer-encoding': 'chunked' },
      body: `"${'x'.repeat(20 * 1024 * 1024)}"`,
    });

    expectRefusal(answer, { status: 413, code: 'request.too-large' });
  });

  it('row 2: tells every wrong field by its path', async () => {
    const answer = await gateway.ask({
      path: '/run',
      body: { appName: 7, newMessage: { parts: [{ text: 1 }] } },
    });

    const { issues } = JSON.parse(answer.text) as { issues: { path: string; message: string }[] };
    expect(issues.map(({ path }) => path)).toEqual([
      'appName',
      'userId',
      'sessionId',
      'newMessage.parts.0.text',
    ]);
  });

  it('goes on serving after all of it', async () => {
    expect((await gateway.ask({ path: '/run', body: bodyRoutes[0]?.withState({ k: 1 }) })).status).toBe(200);
  });
});

async function makeSession(gateway: RunningGateway, { needsSession }: BodyRoute): Promise<void> {
  if (!needsSession) return;
  await gateway.ask({ path: '/apps/quickstart/users/user/sessions/bad-input', body: {} });
  gateway.svc.calls.splice(0);
}

function pairs(bodies: readonly BadBody[], routes: readonly BodyRoute[]) {
  return bodies.flatMap((bad) =>
    routes.map((route) => [`row ${bad.row}: ${route.name} refuses ${bad.name}`, bad, route] as const),
  );
}

function expectRefusal(
  answer: Answer,
  { status, code }: { readonly status: number; readonly code: string },
): void {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  const body = JSON.parse(answer.text) as { detail: string; error: string };
  expect(body).toMatchObject({ code, detail: expect.any(String) as unknown, error: body.detail });
  expect(answer.headers['content-type']).toContain('application/json');
  expect(answer.text).not.toMatch(/node_modules|\.ts:|\bat \w+.*:\d+/);
}
