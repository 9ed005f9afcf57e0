/** A route that takes a body, and how to build a good one around the bad part. */
export interface BodyRoute {
  readonly name: string;
  readonly path: string;
  /** A body that is accepted; `state` becomes the state it sets. */
  withState(state: unknown): object;
}

const run = (state: unknown) => ({
  appName: 'quickstart',
  userId: 'user',
  sessionId: 'bad-input',
  newMessage: { role: 'user', parts: [{ text: 'hello' }] },
  stateDelta: state,
});

/** Every route that reads a body. */
export const bodyRoutes: readonly BodyRoute[] = [
  { name: 'POST /run', path: '/run', withState: run },
  { name: 'POST /run_sse', path: '/run_sse', withState: run },
  {
    name: 'POST /apps/…/sessions',
    path: '/apps/quickstart/users/user/sessions',
    withState: (state) => ({ sessionId: 'bad-input', state }),
  },
  {
    name: 'POST /apps/…/sessions/{session}',
    path: '/apps/quickstart/users/user/sessions/bad-input',
    withState: (state) => state as object,
  },
];

/** The two routes that run an agent. */
export const runRoutes: readonly BodyRoute[] = bodyRoutes.slice(0, 2);

interface PathRoute {
  readonly name: string;
  readonly method: string;
  path(app: string, user: string, session: string): string;
}

/** Every route with ids in its path; the ids are given percent-encoded, or not, as the test wants them sent. */
export const pathRoutes: readonly PathRoute[] = [
  { name: 'list sessions', method: 'GET', path: (app, user) => `/apps/${app}/users/${user}/sessions` },
  { name: 'create a session', method: 'POST', path: (app, user) => `/apps/${app}/users/${user}/sessions` },
  { name: 'create a named session', method: 'POST', path: sessionPath },
  { name: 'get a session', method: 'GET', path: sessionPath },
  { name: 'delete a session', method: 'DELETE', path: sessionPath },
  {
    name: 'get an invocation',
    method: 'GET',
    path: (app, user, session) =>
      `${sessionPath(app, user, session)}/invocations/e-0193e7a0-0000-7000-8000-000000000001`,
  },
];

function sessionPath(app: string, user: string, session: string): string {
  return `/apps/${app}/users/${user}/sessions/${session}`;
}
