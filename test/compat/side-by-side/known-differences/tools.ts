import { type KnownDifference } from '../known-difference';

const text = (geography: string): string => `Tell the capital.${geography}`;
const IDENTITY = 'You are an agent. Your internal name is "geographer".\n\n';
const BY_TOOL = '\n\n<answer by set_model_response>';

const told = (name: string, description: string): string =>
  `You are an agent. Your internal name is "${name}".\n\nThe description about you is "${description}"\n\n`;

const undeclared = [0, 1, 2, 3, 4].map((index) => ({
  at: `asked[*].config.tools[0].functionDeclarations[${index}].parametersJsonSchema`,
  theirs: { type: 'object', properties: {} },
}));

const memory = {
  theirs: 'My cat is Tom.',
  ours: { role: 'user', parts: [{ text: 'My cat is Tom.' }] },
};

/** Calls, the answers to them, and what hooks do to them. */
export const toolDifferences: readonly KnownDifference[] = [
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
      'no-transfer-back': [
        ...['turns[0].events[1].content', 'asked[2].contents[2]'].map((place) => ({
          at: `${place}.parts[0].functionResponse.response.result`,
          theirs: 'Transfer queued',
          ours: null,
        })),
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
    name: 'results-of-values',
    kind: 'as adk-python',
    theirs: 'A list is given to the model as `results`, and what is undefined as nothing at all.',
    ours: 'Whatever is no object is `result`; undefined is null.',
    because: 'B29.',
    cases: {
      results: ['turns[0].events[1].content', 'asked[1].contents[2]'].flatMap((place) => [
        { at: `${place}.parts[0].functionResponse.response.result`, ours: null },
        { at: `${place}.parts[3].functionResponse.response.results`, theirs: [1, 2] },
        { at: `${place}.parts[3].functionResponse.response.result`, ours: [1, 2] },
      ]),
    },
  },
  {
    name: 'no-parameters',
    kind: 'as adk-python',
    theirs: 'A tool without parameters is declared with a schema that has no properties.',
    ours: 'It is declared without a schema.',
    because: 'adk-python declares it so; the Gemini API is known to refuse an object without properties.',
    cases: { results: undeclared, defaults: undeclared },
  },
  {
    name: 'shown-as-it-is',
    kind: 'as adk-python',
    theirs: 'The result of a tool that sets `skipSummarization` is a response alone.',
    ours: 'The result stands beside it as a text, which is what the user sees.',
    because: 'B30.',
    cases: {
      'skip-summarization': [
        { at: 'turns[0].events[1]', theirs: 'table: response of raw_data' },
        { at: 'turns[0].events[2]', ours: 'table: response of raw_data, text' },
        { at: 'asked[1].contents[2]', theirs: 'user: response of raw_data' },
        { at: 'asked[1].contents[3]', ours: 'user: response of raw_data, text' },
      ],
    },
  },
  {
    name: 'agent-that-has-the-last-word',
    kind: 'their defect',
    theirs: '`skipSummarization` of an `AgentTool` is kept and never read: the model is asked once more.',
    ours: "The agent's words end the turn.",
    because: 'B30, B36. Theirs: `runAsync` of `AgentTool`.',
    cases: {
      'agent-tool-last-word': [
        { at: 'turns[0].events[1]', theirs: 'market: response of crier' },
        { at: 'turns[0].events[2]', theirs: 'market: error' },
        { at: 'turns[0].events[3]', ours: 'market: response of crier, text' },
        { at: 'asked[2]', theirs: 'request to scripted-market' },
      ],
    },
  },
  {
    name: 'order-of-fields',
    kind: 'our departure',
    theirs: 'The fields of what a model wrote stay in the order in which it wrote them.',
    ours: 'They come in the order in which Postgres keeps them.',
    because:
      'Only so is a text that is made of them the same when a run is played again from what was stored.',
    cases: {
      'agent-tool-schemas': [
        {
          at: 'asked[1].contents[0].parts[0].text',
          theirs: '{"thing":"apple","unit":"g"}',
          ours: '{"unit":"g","thing":"apple"}',
        },
      ],
      'output-schema-and-tools': [
        {
          at: 'turns[0].events[4].content.parts[0].text',
          theirs: '{"capital":"Oslo","people":4000}',
          ours: '{"people":4000,"capital":"Oslo"}',
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
    because: 'B38. What is stored is what the model said.',
    cases: {
      'output-schema-and-tools': [
        { at: 'turns[0].events[2]', ours: 'geographer: call of set_model_response' },
        { at: 'turns[0].events[3]', ours: 'geographer: response of set_model_response' },
        { at: 'turns[0].events[4].actions.skipSummarization', theirs: true },
        { at: 'asked[*].config.tools[0].functionDeclarations[0]', theirs: 'count_people' },
        { at: 'asked[*].config.tools[0].functionDeclarations[2]', ours: 'count_people' },
      ],
    },
  },
  {
    name: 'no-identity',
    kind: 'our departure',
    theirs: 'An agent that can hand over to nobody, as one that answers by a schema, is not told its name.',
    ours: 'Every agent is told its name.',
    because: 'B25. Theirs: `agents/processors/identity_llm_request_processor.js`.',
    cases: {
      'agent-tool-schemas': [
        {
          at: 'asked[1].config.systemInstruction',
          theirs: 'Weigh.',
          ours: told('scale', 'Weighs a thing.') + 'Weigh.',
        },
      ],
      'no-transfer-back': [
        {
          at: 'asked[1].config.systemInstruction',
          theirs: 'Say one thing.',
          ours: told('quiet', 'Says one thing.') + 'Say one thing.',
        },
      ],
      'output-schema': [
        { at: 'asked[0].config.systemInstruction', theirs: text(''), ours: IDENTITY + text('') },
      ],
      'output-schema-and-tools': [
        { at: 'asked[*].config.systemInstruction', theirs: text(BY_TOOL), ours: IDENTITY + text(BY_TOOL) },
      ],
    },
  },
];
