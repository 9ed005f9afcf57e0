import { type Difference } from '../differences';
import { type KnownDifference } from '../known-difference';

const ERASE = 'turns[0].events[1]';

const asked: readonly Difference[] = [
  { at: `${ERASE}.content.role`, theirs: 'user', ours: 'model' },
  {
    at: `${ERASE}.actions.requestedToolConfirmations.call of erase_disk 1`,
    theirs: {
      hint: 'Please approve or reject the tool call erase_disk() by responding with a FunctionResponse with an expected ToolConfirmation payload.',
      confirmed: false,
    },
  },
  { at: `${ERASE}.actions.skipSummarization`, theirs: true },
  { at: 'turns[0].events[2]', ours: 'operator: response of erase_disk' },
];

const goesOn = (...events: readonly number[]): readonly Difference[] =>
  [...events.map((index) => `turns[1].events[${index}]`), 'stored.besides[1]'].map((place) => ({
    at: `${place}.invocationId`,
    theirs: 'invocation 2',
    ours: 'invocation 1',
  }));

const text = (geography: string): string => `Tell the capital.${geography}`;
const IDENTITY = 'You are an agent. Your internal name is "geographer".\n\n';
const BY_TOOL = '\n\n<answer by set_model_response>';

const memory = {
  theirs: 'My cat is Tom.',
  ours: { role: 'user', parts: [{ text: 'My cat is Tom.' }] },
};

/** Calls, the answers to them, and what hooks do to them. */
export const toolDifferences: readonly KnownDifference[] = [
  {
    name: 'confirmation-events',
    kind: 'their defect',
    theirs:
      'The call that waits for a confirmation gets no response; the question carries its actions, and comes in the role of the user.',
    ours: 'The question is a call of the model; the response that says the call waits comes after it, with the actions.',
    because:
      'B20, B33: without a response the session holds a call that nothing answers. Theirs: `postprocess` in ' +
      '`agents/llm_agent.js` returns before it yields the response.',
    cases: { 'confirmation-approved': asked, 'confirmation-rejected': asked },
  },
  {
    name: 'answered-call',
    kind: 'as adk-python',
    theirs: 'An answer to a call begins another invocation.',
    ours: 'It goes on with the invocation that made the call.',
    because: 'B47.',
    cases: {
      'confirmation-approved': goesOn(0, 1),
      'confirmation-rejected': goesOn(0, 1),
      'long-running': goesOn(0),
    },
  },
  {
    name: 'changed-arguments',
    kind: 'their defect',
    theirs:
      'Arguments that `beforeToolCallback` changes are changed in the event of the call too, after it was shown: what is stored and what the model sees is another call.',
    ours: 'The call that was made stays; the tool gets the changed arguments.',
    because:
      'B27. Theirs: `handleFunctionCallList` in `agents/functions.js` hands out `functionCall.args` itself.',
    cases: {
      callbacks: [
        { at: 'stored.besides[1]', theirs: 'calculator: call of double, call of half' },
        { at: 'stored.withheld[0]', theirs: 'calculator: call of double, call of half' },
        { at: 'asked[1].contents[1].parts[0].functionCall.args.value', theirs: 5, ours: 4 },
      ],
    },
  },
  {
    name: 'result-of-nothing',
    kind: 'as adk-python',
    theirs:
      'A built-in tool that has nothing to say gives a text: `Transfer queued`, and an empty one for the end of a loop.',
    ours: 'It gives null.',
    because: 'B37, B39.',
    cases: {
      'loop-exit': [
        {
          at: 'turns[0].events[4].content.parts[0].functionResponse.response.result',
          theirs: '',
          ours: null,
        },
      ],
      transfer: [
        ...['turns[0].events[1].content', 'turns[2].events[1].content', 'asked[4].contents[2]'].map(
          (place) => ({
            at: `${place}.parts[0].functionResponse.response.result`,
            theirs: 'Transfer queued',
            ours: null,
          }),
        ),
      ],
      instructions: [
        {
          at: 'turns[0].events[1].content.parts[0].functionResponse.response.result',
          theirs: 'Transfer queued',
          ours: null,
        },
      ],
    },
  },
  {
    name: 'memories',
    kind: 'as adk-python',
    theirs: 'What `load_memory` found are texts.',
    ours: 'They are contents, with role and parts.',
    because: "adk-python's `MemoryEntry`, which holds more than text.",
    cases: {
      'load-memory': [
        {
          at: 'turns[1].events[1].content.parts[0].functionResponse.response.memories[0].content',
          ...memory,
        },
        { at: 'asked[2].contents[4].parts[0].functionResponse.response.memories[0].content', ...memory },
      ],
    },
  },
  {
    name: 'answer-by-tool',
    kind: 'as adk-python',
    theirs:
      'The call of `set_model_response` is turned into a text: the session holds neither the call nor its response.',
    ours: 'Call and response are stored, and an event with the text follows them.',
    because:
      'B38. What is stored is what the model said. The text has its fields in the order in which Postgres keeps them, so ' +
      'that it is the same when a run is played again.',
    cases: {
      'output-schema-and-tools': [
        { at: 'turns[0].events[2]', ours: 'geographer: call of set_model_response' },
        { at: 'turns[0].events[3]', ours: 'geographer: response of set_model_response' },
        { at: 'turns[0].events[4].actions.skipSummarization', theirs: true },
        {
          at: 'turns[0].events[4].content.parts[0].text',
          theirs: '{"capital":"Oslo","people":4000}',
          ours: '{"people":4000,"capital":"Oslo"}',
        },
        { at: 'asked[*].config.tools[0].functionDeclarations[0]', theirs: 'count_people' },
        { at: 'asked[*].config.tools[0].functionDeclarations[2]', ours: 'count_people' },
      ],
    },
  },
  {
    name: 'no-identity',
    kind: 'our departure',
    theirs: 'An agent that answers by a schema, and so can hand over to nobody, is not told its name.',
    ours: 'Every agent is told its name.',
    because: 'B25. Theirs: `agents/processors/identity_llm_request_processor.js`.',
    cases: {
      'output-schema': [
        { at: 'asked[0].config.systemInstruction', theirs: text(''), ours: IDENTITY + text('') },
      ],
      'output-schema-and-tools': [
        { at: 'asked[*].config.systemInstruction', theirs: text(BY_TOOL), ours: IDENTITY + text(BY_TOOL) },
      ],
    },
  },
];
