import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose work is being done, as far as it is known. */
export interface WorkIds {
  readonly appName?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly invocationId?: string | undefined;
}

interface LogContext {
  ids: WorkIds;
}

const contexts = new AsyncLocalStorage<LogContext>();

/** Every line written while this runs, and by what it began, tells of these ids, beside those it is known to serve already. */
export function withWorkIds<T>(ids: WorkIds, run: () => T): T {
  return contexts.run({ ids: { ...workIds(), ...known(ids) } }, run);
}

/** The same from here on, where they become known in the middle; nothing outside of `withWorkIds`. */
export function noteWorkIds(ids: WorkIds): void {
  const context = contexts.getStore();
  if (context) context.ids = { ...context.ids, ...known(ids) };
}

export function workIds(): WorkIds {
  return contexts.getStore()?.ids ?? {};
}

/** The ids a message says it is about, in itself or in what it carries. */
export function workIdsOf(body: unknown): WorkIds {
  if (typeof body !== 'object' || body === null) return {};
  const carried = CARRIERS.map((name) => (name in body ? textsOf(body[name as keyof typeof body]) : {}));
  return Object.assign({}, ...carried, textsOf(body)) as WorkIds; // Of such parts it is made.
}

/** A claim, and a result, travel within a message to a runner. */
const CARRIERS = ['handover', 'result'];

function textsOf(part: unknown): WorkIds {
  if (typeof part !== 'object' || part === null) return {};
  const { appName, sessionId, invocationId } = part as Readonly<Record<string, unknown>>;
  return known({
    appName: textOf(appName),
    sessionId: textOf(sessionId),
    invocationId: textOf(invocationId),
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Without those that are not known: they must not hide what is. */
function known(ids: WorkIds): WorkIds {
  const entries: readonly [string, unknown][] = Object.entries(ids);
  return Object.fromEntries(entries.filter(([, id]) => id !== undefined));
}
