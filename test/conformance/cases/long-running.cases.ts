import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const WAITS = `
const waits = (result) => new LongRunningFunctionTool({ name: 'wait', description: 'Waits.', execute: () => result });`;

/** Calls that are answered later, by somebody outside. */
export const longRunningCases: readonly ConformanceCase[] = [
  {
    name: 'no_result_yet',
    says: 'ends the turn at a long-running call without a result, and can be talked to meanwhile (B16, B29)',
    source: rootAgentFile(
      `agent('root', [says(calls('wait')), says('Still waiting.')], { tools: [waits()] })`,
      WAITS,
    ),
    steps: [{ say: 'go' }, { say: 'and?' }],
    expect: {
      turns: [['root: wait({}) [waits]'], ['root: Still waiting.']],
      asked: [['user: go'], ['user: go', 'model: wait({})', 'user: and?']],
    },
  },
  {
    name: 'answered_later',
    says: 'goes on with its invocation when its user answers a long-running call (B6, B29, B47)',
    source: rootAgentFile(
      `agent('root', [says('Wait.', calls('wait')), says('Thanks.')], { tools: [waits(null)] })`,
      WAITS,
    ),
    steps: [{ say: 'go' }, { answer: { call: 'wait', response: { done: true } } }],
    expect: {
      turns: [['root: Wait. + wait({}) [waits]'], ['root: Thanks.']],
      stored: ['user: go', 'root: Wait. + wait({}) [waits]', 'user: wait -> {"done":true}', 'root: Thanks.'],
      asked: [['user: go'], ['user: go', 'model: Wait. + wait({})', 'user: wait -> {"done":true}']],
    },
  },
  {
    name: 'answered_after_talk',
    says: 'shows the model a late answer at its call, and nothing that was said between (B6, B47)',
    source: rootAgentFile(
      `agent('root', [says(calls('wait')), says('Fine.'), says('Thanks.'), says('Bye.')], { tools: [waits(null)] })`,
      WAITS,
    ),
    steps: [
      { say: 'go' },
      { say: 'how are you?' },
      { answer: { call: 'wait', response: { done: true } } },
      { say: 'bye' },
    ],
    expect: {
      turns: [['root: wait({}) [waits]'], ['root: Fine.'], ['root: Thanks.'], ['root: Bye.']],
      asked: [
        ['user: go'],
        ['user: go', 'model: wait({})', 'user: how are you?'],
        ['user: go', 'model: wait({})', 'user: wait -> {"done":true}'],
        [
          'user: go',
          'model: wait({})',
          'user: wait -> {"done":true}',
          'user: how are you?',
          'model: Fine.',
          'model: Thanks.',
          'user: bye',
        ],
      ],
    },
  },
  {
    name: 'answered_twice',
    says: 'takes a first result, then two answers, the latest of which is what the model sees (B6, B7, B29)',
    source: rootAgentFile(
      `agent('root', [says(calls('wait')), says('Begun.'), says('Half.'), says('All.'), says('Yes.')], { tools: [waits({ status: 'pending' })] })`,
      WAITS,
    ),
    steps: [
      { say: 'go' },
      { answer: { call: 'wait', response: { status: 'half' } } },
      { answer: { call: 'wait', response: { status: 'all' } } },
      { say: 'done?' },
    ],
    expect: {
      turns: [
        ['root: wait({}) [waits]', 'root: wait -> {"status":"pending"}', 'root: Begun.'],
        ['root: Half.'],
        ['root: All.'],
        ['root: Yes.'],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'model: wait({})', 'user: wait -> {"status":"pending"}'],
        ['user: go', 'model: wait({})', 'user: wait -> {"status":"half"}'],
        ['user: go', 'model: wait({})', 'user: wait -> {"status":"all"}'],
        [
          'user: go',
          'model: wait({})',
          'user: wait -> {"status":"all"}',
          'model: Begun.',
          'model: Half.',
          'model: All.',
          'user: done?',
        ],
      ],
    },
  },
  {
    name: 'beside_others',
    says: 'answers the other calls of the turn at once, and the long-running one when it is time (B6, B29)',
    source: rootAgentFile(
      `agent('root', [says(calls('wait', {}, 'w'), calls('f', {}, 'f')), says('Meanwhile 1.'), says('All.')], {
        tools: [waits(), tool('f', () => 1)],
      })`,
      WAITS,
    ),
    steps: [{ say: 'go' }, { answer: { call: 'wait', response: { done: true } } }],
    expect: {
      turns: [
        ['root: wait({}) + f({}) [waits]', 'root: f -> {"result":1}', 'root: Meanwhile 1.'],
        ['root: All.'],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'model: wait({}) + f({})', 'user: f -> {"result":1}'],
        ['user: go', 'model: wait({}) + f({})', 'user: f -> {"result":1} + wait -> {"done":true}'],
      ],
    },
  },
  {
    name: 'user_choice',
    says: 'has its user choose, and goes on with the choice (B29)',
    source: rootAgentFile(
      `agent('root', [says(calls('get_user_choice', { options: ['tea', 'coffee'] })), says('Tea it is.')], {
        tools: [getUserChoiceTool],
      })`,
    ),
    steps: [{ say: 'thirsty' }, { answer: { call: 'get_user_choice', response: { result: 'tea' } } }],
    expect: {
      turns: [['root: get_user_choice({"options":["tea","coffee"]}) [waits]'], ['root: Tea it is.']],
      asked: [
        ['user: thirsty'],
        [
          'user: thirsty',
          'model: get_user_choice({"options":["tea","coffee"]})',
          'user: get_user_choice -> {"result":"tea"}',
        ],
      ],
    },
  },
  {
    name: 'answer_to_nothing',
    says: 'refuses an answer to a call nobody made, and stores nothing of it (B47)',
    source: rootAgentFile(`agent('root', [says('Hello.')], { tools: [waits()] })`, WAITS),
    steps: [{ answer: { call: 'wait', response: { done: true } } }, { say: 'hi' }],
    expect: {
      turns: [
        [
          'failed message.unmatched-response: Function call not found for function response ids: unknown. Each must have the id and the name of a call in the session.',
        ],
        ['root: Hello.'],
      ],
      stored: ['user: hi', 'root: Hello.'],
    },
  },
  {
    name: 'answers_to_two',
    says: 'refuses one message with answers to calls of two invocations (B47)',
    source: rootAgentFile(
      `agent('root', [says(calls('wait', {}, 'w1')), says(calls('wait', {}, 'w2')), says('Thanks.')], { tools: [waits()] })`,
      WAITS,
    ),
    steps: [
      { say: 'one' },
      { say: 'two' },
      {
        answer: [
          { call: 'wait', nth: 0, response: { done: 1 } },
          { call: 'wait', nth: 1, response: { done: 2 } },
        ],
      },
      { answer: { call: 'wait', nth: 1, response: { done: 2 } } },
    ],
    expect: {
      turns: [
        ['root: wait({}) [waits]'],
        ['root: wait({}) [waits]'],
        [
          'failed message.ambiguous-responses: Function responses of one message must answer calls of one invocation, not of: #3, #1.',
        ],
        ['root: Thanks.'],
      ],
    },
  },
  {
    name: 'state_meanwhile',
    says: 'sees the state that was patched while it waited, and no temp: of before (B54, B56, B57)',
    source: rootAgentFile(
      `agent('root', [says(calls('note'), calls('wait')), says('Waiting.'), says('Thanks.')], {
        instruction: '{plan?}/{temp:x?}',
        tools: [waits(), tool('note', (_args, { state }) => { state.set('temp:x', 1); state.set('plan', 'free'); })],
      })`,
      WAITS,
    ),
    steps: [
      { say: 'go' },
      { patch: { plan: 'gold' } },
      { answer: { call: 'wait', response: { done: true } } },
    ],
    expect: {
      turns: [
        [
          'root: note({}) + wait({}) [waits]',
          'root: note -> {"result":null} [state {"plan":"free"}]',
          'root: Waiting.',
        ],
        ['root: Thanks.'],
      ],
      instructions: ['/', 'free/1', 'gold/'].map(
        (seen) => `${seen}\n\nYou are an agent. Your internal name is "root".`,
      ),
    },
  },
];
