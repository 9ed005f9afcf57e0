import { type SeedGroup } from './seed-item';

const contract = 'libs/testing/src/contracts/session-service.contract.ts';
const scope = 'libs/engine/src/state/state-scope.ts';
const scopeSpec = 'libs/engine/src/state/state-scope.spec.ts';
const sessionSchema = 'libs/contracts/src/session.ts';
const service = 'libs/engine/src/session/session-service.ts';

/** ADK.Session, its service and the scopes of state. */
export const stateAndSessions: SeedGroup = {
  title: 'State and sessions',
  items: [
    {
      item: 'ADK.Session, the struct',
      named: '000, 002',
      file: sessionSchema,
      symbol: 'sessionSchema',
      fields: {
        id: 'id',
        app_name: 'appName',
        user_id: 'userId',
        state: 'state',
        events: 'events',
        last_update_time: 'lastUpdateTime',
      },
      test: [contract, 'makes an id when none is given'],
    },
    {
      item: 'ADK.Session.Service, the behaviour',
      named: '000, 001, 002',
      file: service,
      symbol: 'SessionService',
      fields: {
        'create/2': 'createSession',
        'get/2': 'getSession',
        'list/2': 'listSessions',
        'delete/2': 'deleteSession',
        'append_event/3': 'appendEvent',
      },
      test: [contract, 'stores events in the order they were appended'],
    },
    {
      item: 'ADK.Session.InMemory (a GenServer and three ETS tables: sessions, app and user state)',
      named: '000, 001, 002',
      file: 'libs/engine/src/session/in-memory-session-service.ts',
      symbol: 'InMemorySessionService',
      fields: { sessions: '#sessions', app_state: '#appStates', user_state: '#userStates' },
      test: [contract, 'keeps sessions of the same id apart by user and by app'],
    },
    {
      item: 'ADK.Session.State, state scopes by prefix',
      named: '000, 001, 002, 003',
      file: scope,
      fields: {
        'app:': 'APP_PREFIX',
        'user:': 'USER_PREFIX',
        'temp:': 'TEMP_PREFIX',
        'no prefix': 'session',
        'extract_deltas/1': 'splitState',
        'merge_states/3': 'mergeState',
      },
      test: [scopeSpec, 'take only their own prefix off'],
    },
    {
      item: 'app: state is shared by all users and sessions of an app',
      named: '000, 001, 002, 003',
      file: scope,
      symbol: 'APP_PREFIX',
      test: [contract, 'routes state by prefix, merges it back with prefixes'],
    },
    {
      item: "user: state is shared by a user's sessions",
      named: '000, 001, 002, 003',
      file: scope,
      symbol: 'USER_PREFIX',
      test: [contract, 'routes state by prefix, merges it back with prefixes'],
    },
    {
      item: 'session state lasts for the conversation, over its turns',
      named: '000, 002, 003',
      file: 'libs/engine/src/session/apply-event.ts',
      symbol: 'applyEvent',
      test: ['test/conformance/cases/state.cases.ts', 'B57'],
    },
    {
      item: 'temp: state is of the invocation and never stored',
      named: '000, 001, 002, 003',
      file: scope,
      symbol: 'separateTemp',
      test: [
        'libs/engine/src/runner/run-invocation.spec.ts',
        'is seen by later steps of the invocation, and neither shown nor stored',
      ],
    },
    {
      item: 'reads of state: tool actions, then callback actions, then the session',
      named: '000',
      file: 'libs/engine/src/state/state.ts',
      symbol: 'State',
      fields: { 'get_state(key)': 'get', state_delta: 'layers' },
      test: ['libs/engine/src/state/state.spec.ts', 'reads the newest of tool actions'],
    },
    {
      item: 'writes of state go through state_delta and are committed with the event, at once',
      named: '000, 001, 004',
      file: 'libs/engine/src/state/state.ts',
      symbol: 'set',
      test: [contract, 'stores events in the order they were appended, and folds their state'],
    },
    {
      item: 'a session isolates: its state, its history',
      named: '003',
      file: 'libs/engine/src/session/in-memory-session-service.ts',
      symbol: 'keyOf',
      test: [contract, 'keeps sessions of the same id apart by user and by app'],
    },
    {
      item: 'a session tracks the history of events and applies their deltas',
      named: '003',
      file: 'libs/engine/src/session/apply-event.ts',
      fields: { history: 'events', deltas: 'applyStateDelta' },
      test: [contract, 'stores events in the order they were appended, and folds their state'],
    },
    {
      item: 'sessions can be kept in external storage',
      named: '002, 003',
      file: 'libs/session-store/src/index.ts',
      symbol: 'createSession',
      test: ['test/integration/main-job.spec.ts', 'stored every whole event once, in dense order'],
    },
  ],
};
