import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const CITY = `
const City = z.object({ city: z.string(), people: z.number().default(0) });`;
const CITY_AS_JSON_SCHEMA = `
const City = {
  type: 'object', properties: { city: { type: 'string' }, people: { type: 'number' } }, required: ['city', 'people'],
};`;

/** Answers that are kept, and answers of a shape. */
export const outputCases: readonly ConformanceCase[] = [
  {
    name: 'output_key',
    says: 'keeps all an agent said in its turn, also beside calls, without its thoughts (B44)',
    source:
      rootAgentFile(`agent('root', [says('Let me see. ', calls('f')), says(thinks('Hm.'), 'It is ', '1.'), says('New.')], {
      outputKey: 'answer', tools: [tool('f', () => 1)],
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [
        [
          'root: Let me see.  + f({})',
          'root: f -> {"result":1}',
          'root: (Hm.) + It is  + 1. [state {"answer":"Let me see. It is 1."}]',
        ],
        ['root: New. [state {"answer":"New."}]'],
      ],
      state: { answer: 'New.' },
    },
  },
  {
    name: 'output_key_empty',
    says: 'keeps an empty text as it is, and nothing of an answer without text (B44)',
    state: { answer: 'before' },
    source: rootAgentFile(`agent('root', [says(thinks('Hm.')), says('')], { outputKey: 'answer' })`),
    steps: [{ say: 'think' }, { say: 'go' }],
    expect: { turns: [['root: (Hm.)'], ['root:  [state {"answer":""}]']], state: { answer: '' } },
  },
  {
    name: 'output_key_of_others',
    says: 'keeps nothing another agent said (B44)',
    source:
      rootAgentFile(`agent('root', [says('Over. ', calls('transfer_to_agent', { agentName: 'child' }))], {
      outputKey: 'answer', subAgents: [agent('child', [says('Mine.')])],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: Over.  + transfer_to_agent({"agentName":"child"})',
          'root: transfer_to_agent -> {"result":null} [to child]',
          'child: Mine.',
        ],
      ],
      state: {},
    },
  },
  {
    name: 'output_key_skipped',
    says: 'keeps what before_agent said in the place of the agent (B40, B44)',
    source: rootAgentFile(`agent('root', [says('never')], {
      outputKey: 'answer', beforeAgentCallback: () => spoken('Cached.'),
    })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: Cached. [state {"answer":"Cached."}]']], state: { answer: 'Cached.' } },
  },
  {
    name: 'output_key_shown',
    says: 'keeps the text of a result that is shown as it is, and nothing of one without text (B30, B44)',
    source: rootAgentFile(`agent('root', [says(calls('text')), says(calls('nothing'))], {
      outputKey: 'answer',
      tools: Object.entries({ text: 'as it is', nothing: null }).map(
        ([name, value]) => tool(name, (_args, { actions }) => { actions.skipSummarization = true; return value; }),
      ),
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [
        [
          'root: text({})',
          'root: text -> {"result":"as it is"} + as it is [state {"answer":"as it is"}] [as it is]',
        ],
        ['root: nothing({})', 'root: nothing -> {"result":null} [as it is]'],
      ],
      state: { answer: 'as it is' },
    },
  },
  {
    name: 'output_schema',
    says: 'asks a model without tools for a shape, and keeps its answer parsed (B24, B44)',
    source: rootAgentFile(
      `agent('root', [says('{"city": "Rome"}'), says(' ')], { outputSchema: City, outputKey: 'city' })`,
      CITY,
    ),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['root: {"city": "Rome"} [state {"city":{"city":"Rome","people":0}}]'], ['root:']],
      state: { city: { city: 'Rome', people: 0 } },
    },
  },
  {
    name: 'output_schema_missed',
    says: 'shows an answer of another shape, and keeps nothing of it (B44)',
    source: rootAgentFile(
      `agent('root', [says('Rome'), says('{"people": 1}')], { outputSchema: City, outputKey: 'city' })`,
      CITY,
    ),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: { turns: [['root: Rome'], ['root: {"people": 1}']], state: {} },
  },
  {
    name: 'output_schema_with_tools',
    says: 'has a model with tools give its answer by a call, and says it for the model (B20, B38, B44)',
    source: rootAgentFile(
      `agent('root', [says(calls('f')), says(calls('set_model_response', { city: 'Rome', people: 3 })), says('Next.')], {
        outputSchema: City, outputKey: 'city', tools: [tool('f', () => 1)],
      })`,
      CITY_AS_JSON_SCHEMA,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: f({})',
          'root: f -> {"result":1}',
          'root: set_model_response({"city":"Rome","people":3})',
          'root: set_model_response -> {"city":"Rome","people":3}',
          'root: {"city":"Rome","people":3} [state {"city":{"city":"Rome","people":3}}]',
        ],
      ],
      state: { city: { city: 'Rome', people: 3 } },
    },
  },
  {
    name: 'output_schema_refused',
    says: 'has the model give its answer again when the shape was missed (B38)',
    source: rootAgentFile(
      `agent('root', [says(calls('set_model_response', { people: 3 })), says(calls('set_model_response', { city: 'Rome' }))], {
        outputSchema: City, tools: [tool('f', () => 1)],
        afterToolCallback: ({ response }) => (response.error ? { error: 'Not of the shape.' } : undefined),
      })`,
      CITY,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: set_model_response({"people":3})',
          'root: set_model_response -> {"error":"Not of the shape."}',
          'root: set_model_response({"city":"Rome"})',
          'root: set_model_response -> {"city":"Rome","people":0}',
          'root: {"city":"Rome","people":0}',
        ],
      ],
    },
  },
];
