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
  const ids: Writable<WorkIds> = {};
  if (typeof body !== 'object' || body === null) return ids;
  for (const name of CARRIERS) if (name in body) addTexts(body[name as keyof typeof body], ids);
  addTexts(body, ids);
  return ids;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A claim, and a result, travel within a message to a runner. */
const CARRIERS = ['handover', 'result'];

/** Field by field: every message of every process comes by here. */
function addTexts(part: unknown, ids: Writable<WorkIds>): void {
  if (typeof part !== 'object' || part === null) return;
  const { appName, sessionId, invocationId } = part as Readonly<Record<string, unknown>>;
  if (typeof appName === 'string') ids.appName = appName;
  if (typeof sessionId === 'string') ids.sessionId = sessionId;
  if (typeof invocationId === 'string') ids.invocationId = invocationId;
}

/** Without those that are not known: they must not hide what is. */
function known({ appName, sessionId, invocationId }: WorkIds): WorkIds {
  const ids: Writable<WorkIds> = {};
  if (appName !== undefined) ids.appName = appName;
  if (sessionId !== undefined) ids.sessionId = sessionId;
  if (invocationId !== undefined) ids.invocationId = invocationId;
  return ids;
}
