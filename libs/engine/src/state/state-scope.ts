/** A delta or a state, keys as authors write them. */
export type StateRecord = Readonly<Record<string, unknown>>;

/** One record for each place state is kept; keys without their prefix. `temp` lives as long as the invocation. */
export interface ScopedState {
  readonly app: StateRecord;
  readonly user: StateRecord;
  readonly session: StateRecord;
  readonly temp: StateRecord;
}

export const APP_PREFIX = 'app:';
export const USER_PREFIX = 'user:';
export const TEMP_PREFIX = 'temp:';

/** Sorts keys by prefix into their scopes and takes the prefix off (B57). */
export function splitState(state: StateRecord): ScopedState {
  const scopes = { app: [], user: [], session: [], temp: [] } as Record<
    keyof ScopedState,
    [string, unknown][]
  >;
  for (const [key, value] of Object.entries(state)) {
    if (key.startsWith(APP_PREFIX)) scopes.app.push([key.slice(APP_PREFIX.length), value]);
    else if (key.startsWith(USER_PREFIX)) scopes.user.push([key.slice(USER_PREFIX.length), value]);
    else if (key.startsWith(TEMP_PREFIX)) scopes.temp.push([key.slice(TEMP_PREFIX.length), value]);
    else scopes.session.push([key, value]);
  }
  return {
    app: Object.fromEntries(scopes.app),
    user: Object.fromEntries(scopes.user),
    session: Object.fromEntries(scopes.session),
    temp: Object.fromEntries(scopes.temp),
  };
}

/** The one state an author reads: session keys, then `app:` and `user:` keys with their prefix (B57). */
export function mergeState(scopes: Omit<ScopedState, 'temp'>): Record<string, unknown> {
  return { ...scopes.session, ...prefixed(APP_PREFIX, scopes.app), ...prefixed(USER_PREFIX, scopes.user) };
}

/** Parts a delta into what is stored and the `temp:` keys, which never are; both keep their prefixes. */
export function separateTemp(delta: StateRecord): { stored: StateRecord; temp: StateRecord } {
  const isTemp = ([key]: [string, unknown]): boolean => key.startsWith(TEMP_PREFIX);
  const entries = Object.entries(delta);
  if (!entries.some(isTemp)) return { stored: delta, temp: {} };
  return {
    stored: Object.fromEntries(entries.filter((entry) => !isTemp(entry))),
    temp: Object.fromEntries(entries.filter(isTemp)),
  };
}

function prefixed(prefix: string, state: StateRecord): Record<string, unknown> {
  return Object.fromEntries(Object.entries(state).map(([key, value]) => [prefix + key, value]));
}
