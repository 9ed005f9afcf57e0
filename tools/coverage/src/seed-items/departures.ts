/** Where this product decided otherwise than a design document, by a short name. */
export const departures = {
  'flow-limit': {
    document: 'the Flow stops after 25 rounds with an error event',
    here: '`maxIterations` per agent turn (25, 0 for none, MAX_ITERATIONS) beside `maxLlmCalls` per invocation (B22)',
    why: 'each guards against something else',
  },
  'tool-errors': {
    document: 'a tool that raises gives the model an error',
    here: 'so it is, for unknown tools too, after the error hooks; with `toolErrors: "raise"` the run fails (B26, B28)',
    why: 'a failing tool must not end a conversation',
  },
  'after-agent': {
    document: 'what after_agent returns replaces the output',
    here: 'it is one more event (B40)',
    why: 'a log is only added to',
  },
  branches: {
    document: 'branches are compared for equality',
    here: 'an event is seen from the branches below its own (B3)',
    why: 'as in adk-python',
  },
  'include-contents': {
    document: 'include_contents none sends nothing',
    here: 'it sends the current turn (B10)',
    why: 'as in adk-python',
  },
  'artifact-versions': {
    document: 'load version 0 is the latest',
    here: 'versions count from 0, no version is the latest (B60)',
    why: 'official UI and clients',
  },
  'artifact-names': {
    document: 'names with `/` or a backslash are rejected',
    here: '`/` inside a name is allowed; backslashes, `..` and a leading `/` are rejected (B60)',
    why: 'official UI and clients',
  },
  'consecutive-roles': {
    document: 'contents of one role in a row are merged',
    here: 'they stay apart (B11)',
    why: 'as in adk-python',
  },
  'processor-order': {
    document: 'two different orders of processors',
    here: "adk-python's order (B24)",
    why: 'as in adk-python',
  },
  sequential: {
    document: 'a sequence is a loop of one round, which escalation stops',
    here: 'a sequence of its own; escalation does not stop it (B41)',
    why: 'as in adk-python',
  },
  'tools-at-once': {
    document: 'tools run one after another',
    here: 'at once, answered in the order of the calls (B26)',
    why: 'speed',
  },
  'missing-session': {
    document: 'the runner creates a missing session',
    here: 'REST answers 404; `autoCreateSession` on the Runner and in a request',
    why: 'official clients',
  },
  staleness: {
    document: 'check_staleness does nothing',
    here: 'a fenced append; `expectedSeq` and `If-Match` on PATCH answer 409',
    why: 'no lost writes',
  },
  'invocation-index': {
    document: 'an index of events by invocation',
    here: "its events are read by its session's key, from where it begins (ADR 45)",
    why: 'an index is written for every event',
  },
  'get-filters': {
    document: 'the filter `after`',
    here: '`afterTimestamp`, inclusive, `afterSeq`, exclusive, and `numRecentEvents`, 0 for none',
    why: 'as in adk-python',
  },
  mock: {
    document: 'Mock falls back to "Mock response"',
    here: 'ScriptedLlm answers SCRIPT_EXHAUSTED',
    why: 'a test must notice',
  },
  'custom-agent': {
    document: 'a custom agent is a Config with a run function',
    here: '`new CustomAgent({ name, run })` beside subclasses of BaseAgent',
    why: 'both habits',
  },
  'telemetry-events': {
    document: ':telemetry events `[:adk_ex, :llm, :start]` and so on',
    here: 'diagnostics_channel `skein:llm`, `skein:tool`, `skein:agent`, `skein:step`, `skein:append` with start, stop, exception',
    why: "Node's own way",
  },
  'lite-llm': {
    document: 'LiteLlm',
    here: 'an OpenAI-compatible adapter with a base URL',
    why: 'it covers the same servers',
  },
  inference: {
    document: 'name and parameters of a tool are inferred from its function',
    here: 'the name when omitted; parameters come from a schema',
    why: 'types do not exist at run time',
  },
  a2a: {
    document: 'A2A is a package of its own',
    here: 'a later step of its own',
    why: 'it stands on all the rest',
  },
  'live-tests': {
    document: 'tests against live providers, excluded by default',
    here: '`npm run test:live`, only with keys',
    why: 'no key, no test',
  },
} as const satisfies Record<string, Departure>;

interface Departure {
  readonly document: string;
  readonly here: string;
  readonly why: string;
}

export type DepartureName = keyof typeof departures;
