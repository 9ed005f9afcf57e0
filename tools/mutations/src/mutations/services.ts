import { type Mutation } from '../mutation';

/** State, sessions, artifacts, memory. */
export const serviceMutations: readonly Mutation[] = [
  {
    rule: 19,
    name: 'partial events are stored',
    file: 'libs/engine/src/session/in-memory-session-service.ts',
    from: 'if (event.partial) return event;',
    to: '',
    spec: 'libs/engine/src/session/in-memory-session-service.spec.ts',
    test: 'and no partial event (B19)',
  },
  {
    rule: 56,
    name: 'temp: keys are stored with the event',
    file: 'libs/engine/src/state/state-scope.ts',
    from: 'stored: Object.fromEntries(entries.filter((entry) => !isTemp(entry))),',
    to: 'stored: Object.fromEntries(entries),',
    spec: 'libs/engine/src/session/in-memory-session-service.spec.ts',
    test: 'stores no temp: key of an event (B56)',
  },
  {
    rule: 57,
    name: 'user: keys keep their prefix in the store',
    file: 'libs/engine/src/state/state-scope.ts',
    from: 'scopes.user.push([key.slice(USER_PREFIX.length), value]);',
    to: 'scopes.user.push([key, value]);',
    spec: 'libs/engine/src/state/state-scope.spec.ts',
    test: 'take only their own prefix off',
  },
  {
    rule: 60,
    name: "an artifact's name may lead out of its folder",
    file: 'libs/engine/src/artifact/artifact-name.ts',
    from: "segment === '..')",
    to: "segment === '...')",
    spec: 'libs/engine/src/artifact/artifact-name.spec.ts',
    test: 'may not be',
  },
  {
    rule: 61,
    name: 'a search minds upper and lower case',
    file: 'libs/engine/src/memory/remember-event.ts',
    from: 'word.toLowerCase()',
    to: 'word',
    spec: 'libs/engine/src/memory/in-memory-memory-service.spec.ts',
    test: 'finds what shares a word with the query',
  },
];
