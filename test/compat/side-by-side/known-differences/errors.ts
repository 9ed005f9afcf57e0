import { type KnownDifference } from '../known-difference';

const FIRST_RESPONSE = 'turns[0].events[1].content.parts[0].functionResponse.response';
const ASKED_RESPONSE = 'asked[1].contents[2].parts[0].functionResponse.response';

const stuck = {
  theirs: "Error in tool 'open_gate': The north gate is stuck.",
  ours: 'The north gate is stuck.',
};
const broken = { theirs: "Error in tool 'publish': The press is broken.", ours: 'The press is broken.' };
const missing = {
  theirs:
    'Error in tool \'get_weather\': [\n  {\n    "expected": "string",\n    "code": "invalid_type",\n    ' +
    '"path": [\n      "city"\n    ],\n    "message": "Invalid input: expected string, received undefined"\n  }\n]',
  ours:
    'Invoking `get_weather()` failed as the following mandatory input parameters are not present:\ncity\n' +
    'You could retry calling this tool, but it is IMPORTANT for you to provide all the mandatory parameters.',
};

/** What fails, and what is said of it. */
export const errorDifferences: readonly KnownDifference[] = [
  {
    name: 'tool-error-text',
    kind: 'our departure',
    theirs: "The message of what a tool threw begins with `Error in tool 'x': `, for hooks too.",
    ours: 'It is the message as it was thrown.',
    because: 'The response names its tool already, and a hook can tell by the message what happened.',
    cases: {
      'tool-error': [
        { at: `${FIRST_RESPONSE}.error`, ...stuck },
        { at: `${ASKED_RESPONSE}.error`, ...stuck },
      ],
      'plugin-changes': [
        { at: `${FIRST_RESPONSE}.because`, ...broken },
        { at: `${ASKED_RESPONSE}.because`, ...broken },
      ],
    },
  },
  {
    name: 'missing-argument-text',
    kind: 'as adk-python',
    theirs: 'Arguments that are missing are a failure of the tool; the model reads what zod says of them.',
    ours: 'The model reads which are missing and that it may try again; the tool did not fail.',
    because: 'B32.',
    cases: {
      'missing-argument': [
        { at: `${FIRST_RESPONSE}.error`, ...missing },
        { at: `${ASKED_RESPONSE}.error`, ...missing },
      ],
    },
  },
  {
    name: 'unknown-tool',
    kind: 'our departure',
    theirs:
      'A call of a tool that does not exist is thrown out of the step: an error event ends the run, and the call has no response.',
    ours: 'The model reads that there is no such tool, and goes on.',
    because:
      "A model that errs must not end a conversation; `toolErrors: 'raise'` gives adk-python's rule (B28). Theirs: " +
      '`getToolAndContext` in `agents/functions.js`, before any hook.',
    cases: {
      'unknown-tool': [
        { at: 'turns[0].events[1]', theirs: 'guide: error' },
        { at: 'turns[0].events[2]', ours: 'guide: response of fly' },
        { at: 'asked[1].contents[2]', ours: 'user: response of fly' },
      ],
    },
  },
  {
    name: 'failed-model',
    kind: 'as adk-python',
    theirs:
      'A model that throws is an error event with the code `UNKNOWN_ERROR`; the caller of the run is told of success.',
    ours: 'The code is the name of the error, and the error is thrown on to the caller.',
    because: 'B23.',
    cases: {
      'model-fails': [
        { at: 'turns[0].events[0].errorCode', theirs: 'UNKNOWN_ERROR', ours: 'Error' },
        { at: 'turns[0].thrown', ours: 'The model is away.' },
      ],
      'cut-answer': [
        { at: 'turns[0].events[1].errorCode', theirs: 'UNKNOWN_ERROR', ours: 'Error' },
        { at: 'turns[0].thrown', ours: 'Away.' },
      ],
      'max-llm-calls': [
        {
          at: 'turns[0].events[4].errorCode',
          theirs: 'UNKNOWN_ERROR',
          ours: 'LlmCallsLimitExceededError',
        },
        { at: 'turns[0].thrown', ours: 'Max number of llm calls limit of `2` exceeded' },
      ],
    },
  },
  {
    name: 'limit-text',
    kind: 'as adk-python',
    theirs: 'The bound of model calls is named as it is.',
    ours: 'It stands between backticks.',
    because: "adk-python's words (B22).",
    cases: {
      'max-llm-calls': [
        {
          at: 'turns[0].events[4].errorMessage',
          theirs: 'Max number of llm calls limit of 2 exceeded',
          ours: 'Max number of llm calls limit of `2` exceeded',
        },
      ],
    },
  },
  {
    name: 'failed-instruction',
    kind: 'as adk-python',
    theirs:
      'State that an instruction names and that is missing is thrown to the caller; the session says nothing of it.',
    ours: 'It is an error event as well, as every failure of a run is.',
    because: 'B23: who reads the session later sees why there is no answer.',
    cases: { 'missing-state': [{ at: 'turns[0].events[0]', ours: 'host: error' }] },
  },
  {
    name: 'no-route',
    kind: 'our departure',
    theirs: 'A router that chooses nothing is thrown to the caller; the session says nothing of it.',
    ours: 'It is an error event as well, as every failure of a run is, and names the agent.',
    because: 'B23: who reads the session later sees why there is no answer.',
    cases: {
      'routed-nowhere': [
        { at: 'turns[0].events[0]', ours: 'clock: error' },
        {
          at: 'turns[0].thrown',
          theirs: 'Initial routing failed, no item selected.',
          ours: 'The router of agent "clock" chose no agent.',
        },
      ],
    },
  },
  {
    name: 'on-model-error',
    kind: 'their defect',
    theirs:
      'What a plugin answers for a model that failed is yielded as it is, not as an event; storing it throws, and the run fails.',
    ours: 'It is the event of the agent, stored and shown, and the state the hooks set is kept.',
    because:
      'B23. Theirs: `runAndHandleError` in `agents/llm_agent.js` yields `onModelErrorCallbackResponse`.',
    cases: {
      'plugin-on-model-error': [
        { at: 'turns[0].events[0]', theirs: 'no event: model: text' },
        { at: 'turns[0].events[1]', ours: 'paper: text' },
        {
          at: 'turns[0].thrown',
          theirs: "Cannot read properties of undefined (reading 'skipSummarization')",
        },
        { at: 'turns[1].events[0].actions.stateDelta.seen', theirs: 1, ours: 2 },
        { at: 'state.seen', theirs: 1, ours: 2 },
        { at: 'asked[1].contents[1]', theirs: 'user: text, text' },
        { at: 'asked[1].contents[2]', ours: 'model: text' },
      ],
    },
  },
];
