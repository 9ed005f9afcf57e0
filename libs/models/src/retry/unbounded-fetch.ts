/** Where Node's fetch keeps what sends its requests, once it was used, or what was set in its place. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** As much of undici's Dispatcher as is used here. */
interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

/**
 * Node's fetch without its own bounds: it gives up a response whose head, or next bytes, do not come within 300 s, and a
 * model may think for longer. How long is waited is the caller's, by its signal. A proxy that was set as the dispatcher of
 * all requests stays in use.
 */
export async function unboundedFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  // Not in Node's types: they are of the undici that is installed, and this one is Node's own.
  return fetch(input, { ...init, dispatcher: unbounded() } as RequestInit);
}

/** None where fetch is not Node's own: then its bounds are not known either. */
function unbounded(): Dispatcher | undefined {
  const underlying = globalDispatcher();
  return (
    underlying && {
      dispatch: (options, handler) =>
        underlying.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
    }
  );
}

function globalDispatcher(): Dispatcher | undefined {
  // Node makes it when the first of fetch's classes is used.
  Reflect.get(globalThis, 'Headers');
  return (globalThis as { [DISPATCHER]?: Dispatcher })[DISPATCHER];
}
