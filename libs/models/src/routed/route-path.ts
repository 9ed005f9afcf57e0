import { AsyncLocalStorage } from 'node:async_hooks';
import { AdkError } from '@skein/contracts';
import { type BaseLlm } from '@skein/engine';

/** More of them below one another than anybody can mean. */
const MAX_DEPTH = 32;
const MAX_NAMES = 1_000;
const CYCLE = 'model.route-cycle';

/** The routes that a request has come through, the outermost first. */
type RoutePath = readonly BaseLlm[];

const here = new AsyncLocalStorage<RoutePath>();

/**
 * The answers of a route, read as what happens within it: also a model of an author's that asks it again, and a router
 * that does, is seen to. Throws `model.route-cycle`.
 */
export async function* withinRoute<T>(
  route: BaseLlm,
  answers: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const path = enterRoute(here.getStore() ?? [], route);
  try {
    for (;;) {
      const next = await here.run(path, async () => answers.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await here.run(path, async () => answers.return());
  }
}

/** The path below a route. Throws `model.route-cycle` when it is on the path, or the path is endless for all one can tell. */
export function enterRoute(above: RoutePath, route: BaseLlm): RoutePath {
  const path = [...above, route];
  if (above.includes(route)) {
    const names = path.slice(above.indexOf(route)).map(({ model }) => model);
    throw cycle(`The models of "${route.model}" lead back to it: ${names.join(', ').slice(0, MAX_NAMES)}.`);
  }
  if (path.length > MAX_DEPTH)
    throw cycle(`"${path[0]?.model}" leads through more than ${MAX_DEPTH} routes.`);
  return path;
}

export function isRouteCycle(thrown: unknown): boolean {
  return AdkError.isInstance(thrown) && thrown.code === CYCLE;
}

function cycle(message: string): AdkError {
  return new AdkError('invalid', CYCLE, message);
}
