import { type Difference } from '../differences';
import { type KnownDifference } from '../known-difference';

const asking = 'turns[0].events[1]';
const hintFor = (tool: string): string =>
  `Please approve or reject the tool call ${tool}() by responding with a FunctionResponse with an expected ToolConfirmation payload.`;

const waits = (call: string, confirmation: unknown, response: string): readonly Difference[] => [
  { at: `${asking}.content.role`, theirs: 'user', ours: 'model' },
  { at: `${asking}.actions.requestedToolConfirmations.${call}`, theirs: confirmation },
  { at: 'turns[0].events[2]', ours: response },
];

const required = (tool: string, call: number, response: string): readonly Difference[] => [
  ...waits(`call of ${tool} ${call}`, { hint: hintFor(tool), confirmed: false }, response),
  { at: `${asking}.actions.skipSummarization`, theirs: true },
];

const POLICY_STATE = 'orcas_tool_call_security_check_states';
const decided = (at: string, theirs: Readonly<Record<string, string>>): Difference => ({
  at: `${at}.${POLICY_STATE}`,
  theirs,
});

const erasing = required('erase_disk', 1, 'operator: response of erase_disk');

const goesOn = (...places: readonly string[]): readonly Difference[] =>
  places.map((place) => ({
    at: `${place}.invocationId`,
    theirs: 'invocation 2',
    ours: 'invocation 1',
  }));

/** Calls that wait for an answer. */
export const waitingDifferences: readonly KnownDifference[] = [
  {
    name: 'confirmation-events',
    kind: 'their defect',
    theirs:
      'Calls of which one waits for a confirmation get no response, also those that ran; the question carries the actions, and comes in the role of the user.',
    ours: 'The question is a call of the model; the responses come after it, with the actions, and that of the call that waits says so.',
    because:
      'B20, B33: without a response the session holds calls that nothing answers, and what a tool did is not told. ' +
      'Theirs: `postprocess` in `agents/llm_agent.js` returns before it yields the responses.',
    cases: {
      'confirmation-approved': erasing,
      'confirmation-rejected': erasing,
      'partial-confirmation': [
        ...required('pay', 2, 'clerk: response of pay, response of pay'),
        { at: 'asked[1].contents[2]', theirs: 'user: response of pay' },
        { at: 'asked[1].contents[3]', ours: 'user: response of pay, response of pay' },
      ],
    },
  },
  {
    name: 'confirmation-asked-by-the-tool',
    kind: 'their defect',
    theirs:
      'A confirmation that a tool asked for by itself cannot be given: what notes that it did is the response that is never there, and the answer is refused.',
    ours: 'The model hears what the tool said, and goes on; the answer runs the tool again, with its payload.',
    because:
      'B34. Theirs: `dynamicallyRequestedCallIds` in `agents/processors/request_confirmation_llm_request_processor.js`.',
    cases: {
      'policy-asks': [
        ...waits(
          'call of pay 1',
          { hint: '<to be confirmed: pay> Reason: It is 500.', confirmed: false },
          'clerk: response of pay',
        ),
        { at: 'turns[1].events[0]', ours: 'clerk: response of pay' },
        { at: 'turns[1].events[1]', ours: 'clerk: text' },
        {
          at: 'turns[1].thrown',
          theirs: "Tool confirmation rejected for function call 'call of pay 1': confirmation_not_required.",
        },
        { at: 'asked[1]', ours: 'request to scripted-clerk' },
      ],
      'own-confirmation': [
        ...waits(
          'call of book 1',
          { hint: 'How many days?', confirmed: false, payload: { days: 9 } },
          'clerk: response of book',
        ),
        { at: 'turns[0].events[3]', ours: 'clerk: text' },
        { at: 'turns[1].events[0]', ours: 'clerk: response of book' },
        { at: 'turns[1].events[1]', ours: 'clerk: text' },
        {
          at: 'turns[1].thrown',
          theirs: "Tool confirmation rejected for function call 'call of book 1': confirmation_not_required.",
        },
        { at: 'asked[1]', ours: 'request to scripted-clerk' },
        { at: 'asked[2]', ours: 'request to scripted-clerk' },
      ],
    },
  },
  {
    name: 'answered-call',
    kind: 'as adk-python',
    theirs: 'An answer to a call begins another invocation.',
    ours: 'It goes on with the invocation that made the call.',
    because: 'B47.',
    cases: {
      'confirmation-approved': goesOn('turns[1].events[0]', 'turns[1].events[1]', 'stored.besides[1]'),
      'confirmation-rejected': goesOn('turns[1].events[0]', 'turns[1].events[1]', 'stored.besides[1]'),
      'partial-confirmation': goesOn('turns[1].events[0]', 'turns[1].events[1]', 'stored.besides[1]'),
      'own-confirmation': goesOn('stored.besides[1]'),
      'policy-asks': goesOn('stored.besides[1]'),
      'long-running': goesOn('turns[1].events[0]', 'stored.besides[1]'),
    },
  },
  {
    name: 'policy-state',
    kind: 'their defect',
    theirs:
      'What a policy said of each call is one value of the session, changed in place: the event that was yielded is not the one that is stored.',
    ours: 'That a human was asked about a call is a key of its own, and his answer ends it; of what the policy alone allowed or denied nothing is kept.',
    because:
      'Calls of one round run side by side, and the last one to write a value would win. Theirs: ' +
      '`setToolCallCheckState` in `plugins/security_plugin.js`.',
    cases: {
      policy: [
        decided('turns[0].events[1].actions.stateDelta', { 'call of pay 1': 'ALLOW' }),
        decided('turns[0].events[3].actions.stateDelta', {
          'call of pay 1': 'ALLOW',
          'call of pay 2': 'DENY',
        }),
        { at: 'stored.besides[1]', theirs: 'clerk: response of pay' },
        { at: 'stored.withheld[0]', theirs: 'clerk: response of pay' },
        decided('state', { 'call of pay 1': 'ALLOW', 'call of pay 2': 'DENY' }),
      ],
      'policy-asks': [
        decided('turns[0].events[1].actions.stateDelta', { 'call of pay 1': 'CONFIRM' }),
        decided('state', { 'call of pay 1': 'CONFIRM' }),
        { at: 'state.security_plugin:call of pay 1', ours: 'ALLOW' },
      ],
    },
  },
];
