import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose work is being done, as far as it is known. */
export interface WorkIds {
  readonly appName?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly invocationId?: string | undefined;
}

const contexts = new AsyncLocalStorage<WorkIds>();

/** Before it, following work takes a hook on every promise of the process, from the first time on: a sixth of a turn. */
const FIRST_NODE_TO_FOLLOW = 24;

let isFollowed = Number.parseInt(process.versions.node, 10) >= FIRST_NODE_TO_FOLLOW;

/**
 * Every line that an author's code writes while this runs, and by what it began, tells of these ids. Our own lines are given
 * theirs where they are written. Before Node 24 this only runs, until `followWork` was called.
 */
export function withWorkIds<T>(ids: WorkIds, run: () => T): T {
  return isFollowed ? contexts.run(ids, run) : run();
}

/** From now on it is known whose work is done: something was said by code that cannot tell, or is traced. */
export function followWork(): void {
  isFollowed = true;
}

export function workIds(): WorkIds {
  return contexts.getStore() ?? {};
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

/** A claim, and a result, travel within a message to a runner; an event within one to everybody. */
const CARRIERS = ['handover', 'result', 'event'];

/** Field by field: every message of every process comes by here. */
function addTexts(part: unknown, ids: Writable<WorkIds>): void {
  if (typeof part !== 'object' || part === null) return;
  const { appName, sessionId, invocationId } = part as Readonly<Record<string, unknown>>;
  if (typeof appName === 'string') ids.appName = appName;
  if (typeof sessionId === 'string') ids.sessionId = sessionId;
  if (typeof invocationId === 'string') ids.invocationId = invocationId;
}
