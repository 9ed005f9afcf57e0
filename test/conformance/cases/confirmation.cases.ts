import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const ASKED_FIRST = '{"error":"This tool call requires confirmation, please approve or reject."}';
const REJECTED = '{"error":"This tool call is rejected."}';

/** The question of the framework about a call of `pay` with this sum. */
function question(id: string, sum: number): string {
  const hint =
    'Please approve or reject the tool call pay() by responding with a FunctionResponse with an expected ToolConfirmation payload.';
  return `adk_request_confirmation(${JSON.stringify({
    toolConfirmation: { hint, confirmed: false },
    originalFunctionCall: { id, args: { sum }, name: 'pay' },
  })})`;
}

const PAY = `
const pay = (requireConfirmation = true) =>
  tool('pay', ({ sum }, { toolConfirmation }) => 'paid ' + (toolConfirmation?.payload?.sum ?? sum), {
    parameters: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }, requireConfirmation,
  });`;

const payFive = rootAgentFile(
  `agent('root', [says(calls('pay', { sum: 5 }, 'c1')), says('Done.'), says('Anything else?')], { tools: [pay()] })`,
  PAY,
);
const firstTurn = [
  'root: pay({"sum":5})',
  `root: ${question('c1', 5)} [waits]`,
  `root: pay -> ${ASKED_FIRST} [as it is]`,
];
const answered = (response: Record<string, unknown>): ConformanceCase['steps'][number] => ({
  answer: { call: 'adk_request_confirmation', response },
});

/** Calls that somebody has to allow. */
export const confirmationCases: readonly ConformanceCase[] = [
  {
    name: 'confirmed',
    says: 'asks before it runs a call, and runs it under its own id when that is allowed (B2, B6, B20, B33)',
    source: payFive,
    steps: [{ say: 'go' }, answered({ confirmed: true })],
    expect: {
      turns: [firstTurn, ['root: pay -> {"result":"paid 5"}', 'root: Done.']],
      asked: [['user: go'], ['user: go', 'model: pay({"sum":5})', 'user: pay -> {"result":"paid 5"}']],
    },
  },
  {
    name: 'rejected',
    says: 'tells the model when a call was rejected (B33)',
    source: payFive,
    steps: [{ say: 'go' }, answered({ confirmed: false })],
    expect: {
      turns: [firstTurn, [`root: pay -> ${REJECTED}`, 'root: Done.']],
      asked: [['user: go'], ['user: go', 'model: pay({"sum":5})', `user: pay -> ${REJECTED}`]],
    },
  },
  {
    name: 'confirmed_with_payload',
    says: 'hands a tool what came with the permission, and the call as it was stored (B33)',
    source: payFive,
    steps: [{ say: 'go' }, answered({ confirmed: true, payload: { sum: 3 } })],
    expect: { turns: [firstTurn, ['root: pay -> {"result":"paid 3"}', 'root: Done.']] },
  },
  {
    name: 'confirmed_as_json',
    says: 'reads a permission that is JSON text (B33)',
    source: payFive,
    steps: [{ say: 'go' }, answered({ response: '{"confirmed": true}' })],
    expect: { turns: [firstTurn, ['root: pay -> {"result":"paid 5"}', 'root: Done.']] },
  },
  {
    name: 'confirmed_with_unknown_fields',
    says: 'takes an answer with fields it does not know for no permission (B66)',
    source: payFive,
    steps: [{ say: 'go' }, answered({ confirmed: true, originalFunctionCall: { args: { sum: 500 } } })],
    expect: { turns: [firstTurn, [`root: pay -> ${REJECTED}`, 'root: Done.']] },
  },
  {
    name: 'confirmed_later',
    says: 'does not run a call while its user talks of something else, and does when he allows it then (B33, B47)',
    source: rootAgentFile(
      `agent('root', [says(calls('pay', { sum: 5 }, 'c1')), says('Of course.'), says('Done.')], { tools: [pay()] })`,
      PAY,
    ),
    steps: [{ say: 'go' }, { say: 'wait' }, answered({ confirmed: true })],
    expect: {
      turns: [firstTurn, ['root: Of course.'], ['root: pay -> {"result":"paid 5"}', 'root: Done.']],
    },
  },
  {
    name: 'confirmed_by_predicate',
    says: 'asks about those calls only that a function of the arguments names (B33)',
    source: rootAgentFile(
      `agent('root', [says(calls('pay', { sum: 5 }, 'c1')), says('Paid.'), says(calls('pay', { sum: 500 }, 'c2')), says('Done.')], {
        tools: [pay(({ sum }, { state }) => sum > state.get('limit', 0))],
      })`,
      PAY,
    ),
    state: { limit: 100 },
    steps: [{ say: 'little' }, { say: 'much' }, answered({ confirmed: true })],
    expect: {
      turns: [
        ['root: pay({"sum":5})', 'root: pay -> {"result":"paid 5"}', 'root: Paid.'],
        [
          'root: pay({"sum":500})',
          `root: ${question('c2', 500)} [waits]`,
          `root: pay -> ${ASKED_FIRST} [as it is]`,
        ],
        ['root: pay -> {"result":"paid 500"}', 'root: Done.'],
      ],
    },
  },
  {
    name: 'confirmed_on_request',
    says: 'lets a tool ask by itself, and the model go on meanwhile (B34)',
    source: rootAgentFile(`agent('root', [says(calls('change', {}, 'c1')), says('I asked.'), says('Done.')], {
      tools: [
        tool('change', (_args, context) => {
          const { toolConfirmation } = context;
          if (toolConfirmation) return { changed: toolConfirmation.confirmed, days: toolConfirmation.payload.days };
          context.requestConfirmation({ hint: 'Really?', payload: { days: 0 } });
          return { status: 'asked' };
        }),
      ],
    })`),
    steps: [{ say: 'go' }, answered({ confirmed: true, payload: { days: 2 } })],
    expect: {
      turns: [
        [
          'root: change({})',
          `root: adk_request_confirmation(${JSON.stringify({
            toolConfirmation: { hint: 'Really?', payload: { days: 0 }, confirmed: false },
            originalFunctionCall: { id: 'c1', args: {}, name: 'change' },
          })}) [waits]`,
          'root: change -> {"status":"asked"}',
          'root: I asked.',
        ],
        ['root: change -> {"days":2,"changed":true}', 'root: Done.'],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'model: change({})', 'user: change -> {"status":"asked"}'],
        ['user: go', 'model: change({})', 'user: change -> {"days":2,"changed":true}'],
      ],
    },
  },
  {
    name: 'two_confirmed_at_once',
    says: 'asks about two calls in one event, and takes both answers in one message (B31, B33)',
    source: rootAgentFile(
      `agent('root', [says(calls('pay', { sum: 1 }, 'c1'), calls('pay', { sum: 2 }, 'c2')), says('Done.')], { tools: [pay()] })`,
      PAY,
    ),
    steps: [
      { say: 'go' },
      {
        answer: [
          { call: 'adk_request_confirmation', nth: 0, response: { confirmed: true } },
          { call: 'adk_request_confirmation', nth: 1, response: { confirmed: false } },
        ],
      },
    ],
    expect: {
      turns: [
        [
          'root: pay({"sum":1}) + pay({"sum":2})',
          `root: ${question('c1', 1)} + ${question('c2', 2)} [waits]`,
          `root: pay -> ${ASKED_FIRST} + pay -> ${ASKED_FIRST} [as it is]`,
        ],
        [`root: pay -> {"result":"paid 1"} + pay -> ${REJECTED}`, 'root: Done.'],
      ],
    },
  },
  {
    name: 'two_confirmed_in_turn',
    says: 'takes the answers about two calls in two messages, each running its own call only (B6, B33)',
    source: rootAgentFile(
      `agent('root', [says(calls('pay', { sum: 1 }, 'c1'), calls('pay', { sum: 2 }, 'c2')), says('One.'), says('Both.')], { tools: [pay()] })`,
      PAY,
    ),
    steps: [
      { say: 'go' },
      { answer: { call: 'adk_request_confirmation', nth: 1, response: { confirmed: true } } },
      { answer: { call: 'adk_request_confirmation', nth: 0, response: { confirmed: true } } },
    ],
    expect: {
      turns: [
        [
          'root: pay({"sum":1}) + pay({"sum":2})',
          `root: ${question('c1', 1)} + ${question('c2', 2)} [waits]`,
          `root: pay -> ${ASKED_FIRST} + pay -> ${ASKED_FIRST} [as it is]`,
        ],
        ['root: pay -> {"result":"paid 2"}', 'root: One.'],
        ['root: pay -> {"result":"paid 1"}', 'root: Both.'],
      ],
      asked: [
        ['user: go'],
        [
          'user: go',
          'model: pay({"sum":1}) + pay({"sum":2})',
          `user: pay -> ${ASKED_FIRST} + pay -> {"result":"paid 2"}`,
        ],
        [
          'user: go',
          'model: pay({"sum":1}) + pay({"sum":2})',
          'user: pay -> {"result":"paid 1"} + pay -> {"result":"paid 2"}',
        ],
      ],
    },
  },
  {
    name: 'confirmed_in_child',
    says: 'takes the answer to the agent that asked, not to the root (B33, B47, B49)',
    source: rootAgentFile(
      `agent('root', [says(calls('transfer_to_agent', { agentName: 'child' })), says('never')], {
        subAgents: [
          agent('child', [says(calls('pay', { sum: 5 }, 'c1')), says('Done.')], { tools: [pay()], disallowTransferToParent: true }),
        ],
      })`,
      PAY,
    ),
    steps: [{ say: 'go' }, answered({ confirmed: true })],
    expect: {
      turns: [
        [
          'root: transfer_to_agent({"agentName":"child"})',
          'root: transfer_to_agent -> {"result":null} [to child]',
          ...firstTurn.map((line) => line.replace('root:', 'child:')),
        ],
        ['child: pay -> {"result":"paid 5"}', 'child: Done.'],
      ],
    },
  },
  {
    name: 'confirmed_in_branch',
    says: 'takes the answer on the branch of the call, and runs nobody on the others (B3, B33, B43, B47)',
    unordered: true,
    source: rootAgentFile(
      `new ParallelAgent({
        name: 'fan',
        subAgents: [agent('payer', [says(calls('pay', { sum: 5 }, 'c1')), says('Done.')], { tools: [pay()] }), agent('other', [says('Other.')])],
      })`,
      PAY,
    ),
    steps: [{ say: 'go' }, answered({ confirmed: true })],
    expect: {
      turns: [
        ['other@fan.other: Other.', ...firstTurn.map((line) => line.replace('root:', 'payer@fan.payer:'))],
        ['payer@fan.payer: pay -> {"result":"paid 5"}', 'payer@fan.payer: Done.'],
      ],
      asked: [
        ['user: go'],
        ['user: go'],
        ['user: go', 'model: pay({"sum":5})', 'user: pay -> {"result":"paid 5"}'],
      ],
    },
  },
];
