/** A route that takes a body, and how to build a good one around the bad part. */
export interface BodyRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Answers 404 unless the session `bad-input` is there. */
  readonly needsSession?: boolean;
  /** A body that is accepted; `state` becomes the state it sets. */
  withState(state: unknown): object;
}

const badInput = '/apps/quickstart/users/user/sessions/bad-input';

const run = (state: unknown) => ({
  appName: 'quickstart',
  userId: 'user',
  sessionId: 'bad-input',
  newMessage: { role: 'user', parts: [{ text: 'hello' }] },
  stateDelta: state,
});

/** Every route whose body sets state. */
export const bodyRoutes: readonly BodyRoute[] = [
  { name: 'POST /run', method: 'POST', path: '/run', withState: run },
  { name: 'POST /run_sse', method: 'POST', path: '/run_sse', withState: run },
  {
    name: 'POST /apps/…/sessions',
    method: 'POST',
    path: '/apps/quickstart/users/user/sessions',
    withState: (state) => ({ sessionId: 'bad-input', state }),
  },
  {
    name: 'POST /apps/…/sessions/{session}',
    method: 'POST',
    path: badInput,
    withState: (state) => state as object,
  },
  {
    name: 'PATCH /apps/…/sessions/{session}',
    method: 'PATCH',
    path: badInput,
    needsSession: true,
    withState: (state) => ({ stateDelta: state }),
  },
];

/** Every other route that reads a body; `state` is a field it does not know. */
export const statelessRoutes: readonly BodyRoute[] = [
  {
    name: 'POST /apps/…/sessions/{session}/rewind',
    method: 'POST',
    path: `${badInput}/rewind`,
    needsSession: true,
    withState: (state) => ({ rewindBeforeInvocationId: 'e-1', state }),
  },
  {
    name: 'PATCH /apps/…/memory',
    method: 'PATCH',
    path: '/apps/quickstart/users/user/memory',
    needsSession: true,
    withState: (state) => ({ sessionId: 'bad-input', state }),
  },
  {
    name: 'POST /apps/…/artifacts',
    method: 'POST',
    path: `${badInput}/artifacts`,
    withState: (state) => ({ filename: 'a.txt', artifact: { text: 'x' }, state }),
  },
];

/** The two routes that run an agent. */
export const runRoutes: readonly BodyRoute[] = bodyRoutes.slice(0, 2);

interface PathRoute {
  readonly name: string;
  readonly method: string;
  readonly body?: object;
  /** It makes or runs something, which only an app that is there can do. */
  readonly needsApp?: boolean;
  path(app: string, user: string, session: string): string;
}

const invocation = 'e-0193e7a0-0000-7000-8000-000000000001';

/** Every route with ids in its path; the ids are given percent-encoded, or not, as the test wants them sent. */
export const pathRoutes: readonly PathRoute[] = [
  { name: 'list sessions', method: 'GET', path: (app, user) => `/apps/${app}/users/${user}/sessions` },
  {
    name: 'create a session',
    method: 'POST',
    needsApp: true,
    path: (app, user) => `/apps/${app}/users/${user}/sessions`,
  },
  { name: 'create a named session', method: 'POST', needsApp: true, path: sessionPath },
  { name: 'get a session', method: 'GET', path: sessionPath },
  { name: 'delete a session', method: 'DELETE', path: sessionPath },
  { name: 'change a session', method: 'PATCH', body: { stateDelta: {} }, path: sessionPath },
  {
    name: 'rewind a session',
    method: 'POST',
    needsApp: true,
    body: { rewindBeforeInvocationId: 'e-1' },
    path: (app, user, session) => `${sessionPath(app, user, session)}/rewind`,
  },
  {
    name: 'remember a session',
    method: 'PATCH',
    body: { sessionId: 's' },
    path: (app, user) => `/apps/${app}/users/${user}/memory`,
  },
  {
    name: 'save an artifact',
    method: 'POST',
    needsApp: true,
    body: { filename: 'a.txt', artifact: { text: 'x' } },
    path: artifactsPath,
  },
  { name: 'list artifacts', method: 'GET', path: artifactsPath },
  ...[
    'a.txt',
    'a/b.txt/versions',
    'a.txt/versions/0',
    'a.txt/versions/metadata',
    'a.txt/versions/0/metadata',
    'a.txt/versions/0/content',
  ].map((rest): PathRoute => ({
    name: `get artifacts/${rest}`,
    method: 'GET',
    path: (app, user, session) => `${artifactsPath(app, user, session)}/${rest}`,
  })),
  {
    name: 'save content',
    method: 'PUT',
    needsApp: true,
    body: { any: 'bytes' },
    path: (app, user, session) => `${artifactsPath(app, user, session)}/a.txt/versions/0/content`,
  },
  {
    name: 'delete an artifact',
    method: 'DELETE',
    path: (app, user, session) => `${artifactsPath(app, user, session)}/a.txt`,
  },
  ...[
    { name: 'read events', method: 'GET', rest: 'events' },
    { name: 'list invocations', method: 'GET', rest: 'invocations' },
    { name: 'get an invocation', method: 'GET', rest: `invocations/${invocation}` },
    { name: 'cancel an invocation', method: 'POST', rest: `invocations/${invocation}/cancel` },
  ].map(({ name, method, rest }): PathRoute => ({
    name,
    method,
    path: (app, user, session) => `${sessionPath(app, user, session)}/${rest}`,
  })),
];

function sessionPath(app: string, user: string, session: string): string {
  return `/apps/${app}/users/${user}/sessions/${session}`;
}

function artifactsPath(app: string, user: string, session: string): string {
  return `${sessionPath(app, user, session)}/artifacts`;
}
