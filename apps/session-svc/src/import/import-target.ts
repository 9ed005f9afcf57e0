import { type SessionKey } from '@skein/contracts';
import {
  countImported,
  findExisting,
  importSession,
  importState,
  type StorePool,
} from '@skein/session-store';

export type SessionImport = Parameters<typeof importSession>[1];
export type ImportOutcome = Awaited<ReturnType<typeof importSession>>;
type StateImport = Parameters<typeof importState>[1];

/** Where an import goes: Skein's database, or nowhere. */
export interface ImportTarget {
  /** Whether what is stored stays. */
  readonly isKept: boolean;
  find(key: SessionKey): ReturnType<typeof findExisting>;
  storeSession(session: SessionImport): Promise<ImportOutcome>;
  /** Answers the keys that are there with another value. */
  storeState(state: StateImport): Promise<string[]>;
  /** What is noted with one of these sources. */
  count(
    sources: readonly string[],
    apps: readonly string[] | undefined,
  ): ReturnType<typeof countImported> | undefined;
}

export function databaseTarget(pool: StorePool): ImportTarget {
  return {
    isKept: true,
    find: (key) => findExisting(pool, key),
    storeSession: (session) => importSession(pool, session),
    storeState: (state) => importState(pool, state),
    count: (sources, apps) => countImported(pool, { sources, ...(apps === undefined ? {} : { apps }) }),
  };
}

/** Reads everything, as an import would, and stores nothing. */
export const dryTarget: ImportTarget = {
  isKept: false,
  find: async () => Promise.resolve(undefined),
  storeSession: async ({ readEvents }) => {
    let events = 0;
    let partials = 0;
    for await (const piece of readEvents()) {
      for (const { partial } of piece) {
        if (partial === true) partials += 1;
        else events += 1;
      }
    }
    return { kind: 'imported', events, partials };
  },
  storeState: async () => Promise.resolve([]),
  count: () => undefined,
};
