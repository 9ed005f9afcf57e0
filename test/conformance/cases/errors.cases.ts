import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** Models and agents that go wrong while they run. */
export const errorCases: readonly ConformanceCase[] = [
  {
    name: 'script_exhausted',
    says: 'tells that a script ran out, and counts no answer for it (B23)',
    source: rootAgentFile(`agent('root', [says('Only once.')])`),
    steps: [{ say: 'hi' }, { say: 'hi' }, { say: 'hi' }],
    expect: {
      turns: [['root: Only once.'], ['root: [error SCRIPT_EXHAUSTED]'], ['root: [error SCRIPT_EXHAUSTED]']],
    },
  },
  {
    name: 'model_throws',
    says: 'stores the error of a model that throws under the name of its class, and goes on in the next turn (B23)',
    source: rootAgentFile(
      `agent('root', undefined, { model: new Flaky({ model: 'flaky' }) })`,
      `
class QuotaError extends Error { constructor() { super('too much'); this.name = 'QuotaError'; } }
class Flaky extends BaseLlm {
  async *generateContentAsync({ contents }) {
    if (contents.length === 1) throw new QuotaError();
    yield says('Better.');
  }
}`,
    ),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['failed QuotaError: too much'], ['root: Better.']],
      stored: ['user: go', 'root: [error QuotaError]', 'user: again', 'root: Better.'],
    },
  },
  {
    name: 'error_shown_in_stream',
    says: 'shows a stream the error event of its run, then why it failed (B23)',
    source: rootAgentFile(`agent('root', [says(calls('f')), says('never')], {
      tools: [tool('f', () => 1)],
      beforeModelCallback: ({ request }) => { if (request.contents.length > 1) throw new RangeError('too far'); },
    })`),
    steps: [{ say: 'go', streaming: true }],
    expect: {
      turns: [
        ['root: f({})', 'root: f -> {"result":1}', 'root: [error RangeError]', 'failed RangeError: too far'],
      ],
    },
  },
  {
    name: 'error_with_words',
    says: 'shows what a model said before it was stopped, and why it was (B18)',
    source: rootAgentFile(`agent('root', [
      { ...says('As I was'), errorCode: 'RECITATION', errorMessage: 'Quoted too much.' }, says('Well.'),
    ])`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['root: As I was [error RECITATION]'], ['root: Well.']],
      asked: [['user: go'], ['user: go', 'model: As I was', 'user: again']],
    },
  },
  {
    name: 'model_unknown',
    says: 'fails the turn when no adapter knows the name of the model (B23)',
    source: rootAgentFile(`agent('root', undefined, { model: 'no-such-model' })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['failed model.unknown: No model adapter is registered for "no-such-model".']],
      stored: ['user: go', 'root: [error model.unknown]'],
    },
  },
  {
    name: 'model_missing',
    says: 'fails the turn when neither an agent nor one above it has a model (B23)',
    source: rootAgentFile(`new SequentialAgent({ name: 'flow', subAgents: [agent('alone')] })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['failed agent.no-model: Agent "alone" has no model, and none above it has.']] },
  },
  {
    name: 'answer_of_no_shape',
    says: 'fails the turn when an answer has a shape nobody can store, and the session can go on (B23)',
    source: rootAgentFile(`agent('root', [{ content: { role: 'model', parts: 'Hello.' } }, says('Fine.')], {
      beforeModelCallback: ({ request }) => (request.contents.length > 1 ? says('Fine.') : undefined),
      onModelErrorCallback: () => undefined,
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [
        [
          "failed model.bad-answer: The model's answer cannot be used at content.parts: Invalid input: expected array, received string.",
        ],
        ['root: Fine.'],
      ],
    },
  },
  {
    name: 'iterations_limited',
    says: 'ends the turn of an agent whose model calls tools without end (B15)',
    source: rootAgentFile(`agent('root', [...Array(5)].map(() => says(calls('f'))), {
      maxIterations: 2, tools: [tool('f', () => 'again')],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: f({})',
          'root: f -> {"result":"again"}',
          'root: f({})',
          'root: f -> {"result":"again"}',
          'root: [error MAX_ITERATIONS]',
        ],
      ],
    },
  },
  {
    name: 'model_calls_limited',
    says: 'fails the turn at the call of a model that is one too many, over all agents (B22)',
    source: rootAgentFile(
      `new LoopAgent({ name: 'loop', subAgents: ['a', 'b'].map((name) => agent(name, undefined, { model: new Silent({ model: 'silent' }) })) })`,
      `
class Silent extends BaseLlm {
  async *generateContentAsync() {}
}`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['failed LlmCallsLimitExceededError: Max number of llm calls limit of `500` exceeded']],
    },
  },
  {
    name: 'agent_throws_no_error',
    says: 'fails the turn with what an agent threw, also when that is no error (B23)',
    source: rootAgentFile(`new CustomAgent({
      name: 'odd',
      async *run({ session }) {
        yield createEvent({ author: 'odd', content: spoken('So far.') });
        if (session.events.length < 3) throw 'just text';
      },
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['failed Error: just text'], ['odd: So far.']],
      stored: ['user: go', 'odd: So far.', 'odd: [error Error]', 'user: again', 'odd: So far.'],
    },
  },
  {
    name: 'child_fails',
    says: 'stores the error of an agent below under its own name, and answers the calls that are open (B23)',
    source:
      rootAgentFile(`agent('root', [says(calls('transfer_to_agent', { agentName: 'child' })), says('Back.')], {
      subAgents: [
        agent('child', [says(calls('f', {}, 'c1'))], {
          disallowTransferToParent: true,
          tools: [tool('f', () => 1)], afterToolCallback: () => { throw new Error('broken'); },
        }),
      ],
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['failed Error: broken'], ['root: Back.']],
      stored: [
        'user: go',
        'root: transfer_to_agent({"agentName":"child"})',
        'root: transfer_to_agent -> {"result":null} [to child]',
        'child: f({})',
        'child: f -> {"error":"The run failed before this call was answered: broken"}',
        'child: [error Error]',
        'user: again',
        'root: Back.',
      ],
    },
  },
  {
    name: 'results_of_no_json',
    says: 'lets the model read that a result has no JSON form, and stores text no database takes in another (B28)',
    source: rootAgentFile(`agent('root', [says(calls('big'), calls('cycle'), calls('nul')), says('A\\0B')], {
      tools: [
        tool('big', () => ({ n: 1n })),
        tool('cycle', () => { const a = {}; a.a = a; return a; }),
        tool('nul', () => ({ text: 'a\\0b' })),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: big({}) + cycle({}) + nul({})',
          `root: big -> {"error":"The result of tool 'big' cannot be stored: A BigInt has no JSON form; return a number or a string."} + cycle -> {"error":"The result of tool 'cycle' cannot be stored: The value contains itself, so it has no JSON form."} + nul -> {"text":"a\ufffdb"}`,
          'root: A\ufffdB',
        ],
      ],
    },
  },
];
