import { appFile, rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const ASK = { say: 'go', streaming: true } as const;

/** Answers shown piece by piece. A line of dots is what was streamed of one event. */
export const streamingCases: readonly ConformanceCase[] = [
  {
    name: 'streamed',
    says: 'shows an answer in pieces under the id of the whole one, and stores that alone (B17, B19)',
    source: rootAgentFile(
      `agent('root', [pieces(says('One'), says(' two'), says('One two')), says('Three.')])`,
    ),
    steps: [ASK, { say: 'again' }],
    expect: {
      turns: [['... One two', 'root: One two'], ['root: Three.']],
      stored: ['user: go', 'root: One two', 'user: again', 'root: Three.'],
    },
  },
  {
    name: 'not_streamed',
    says: 'shows the whole answer only to who does not stream (B19)',
    source: rootAgentFile(`agent('root', [pieces(says('One'), says(' two'), says('One two'))])`),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: One two']] },
  },
  {
    name: 'streamed_thoughts',
    says: 'streams thoughts beside words (B17)',
    source: rootAgentFile(
      `agent('root', [pieces(says(thinks('H')), says(thinks('m.')), says('Yes'), says(thinks('Hm.'), 'Yes'))])`,
    ),
    steps: [ASK],
    expect: { turns: [['... (H)(m.)Yes', 'root: (Hm.) + Yes']] },
  },
  {
    name: 'streamed_calls',
    says: 'calls no tool before the answer is whole, and streams each answer of a turn under its own id (B17, B19)',
    source: rootAgentFile(`agent('root', [
      pieces(says('Let me'), says(' see.'), says(calls('f', { n: 1 })), says('Let me see.', calls('f', { n: 2 }))),
      pieces(says('It is'), says(' 2.'), says('It is 2.')),
    ], { tools: [tool('f', ({ n }) => n)] })`),
    steps: [ASK],
    expect: {
      turns: [
        [
          '... Let me see.',
          '... It is 2.',
          'root: Let me see. + f({"n":2})',
          'root: f -> {"result":2}',
          'root: It is 2.',
        ],
      ],
      stored: ['user: go', 'root: Let me see. + f({"n":2})', 'root: f -> {"result":2}', 'root: It is 2.'],
    },
  },
  {
    name: 'streamed_over_agents',
    says: 'streams what each agent of a turn says (B17, B37)',
    source:
      rootAgentFile(`agent('root', [pieces(says('Over'), says('Over.', calls('transfer_to_agent', { agentName: 'child' })))], {
      subAgents: [agent('child', [pieces(says('Mine'), says('Mine.'))])],
    })`),
    steps: [ASK],
    expect: {
      turns: [
        [
          '... Over',
          '... Mine',
          'root: Over. + transfer_to_agent({"agentName":"child"})',
          'root: transfer_to_agent -> {"result":null} [to child]',
          'child: Mine.',
        ],
      ],
    },
  },
  {
    name: 'streamed_through_callbacks',
    says: 'shows after_model each piece (B21)',
    source: rootAgentFile(`agent('root', [pieces(says('one'), says(' two'), says('one two'))], {
      afterModelCallback: ({ response }) => ({ ...response, ...says(response.content.parts[0].text.toUpperCase()) }),
    })`),
    steps: [ASK],
    expect: { turns: [['... ONE TWO', 'root: ONE TWO']] },
  },
  {
    name: 'streamed_output_key',
    says: 'keeps a streamed answer once (B19, B44)',
    source: rootAgentFile(
      `agent('root', [pieces(says('One'), says(' two'), says('One two'))], { outputKey: 'answer' })`,
    ),
    steps: [ASK],
    expect: {
      turns: [['... One two', 'root: One two [state {"answer":"One two"}]']],
      state: { answer: 'One two' },
    },
  },
  {
    name: 'streamed_half',
    says: 'fails the turn when a stream breaks off, and the session can go on (B19, B23)',
    source: rootAgentFile(
      `agent('root', undefined, { model: new Breaks({ model: 'breaks' }) })`,
      `
class Breaks extends BaseLlm {
  async *generateContentAsync({ contents }, stream) {
    if (!stream) return yield says('Now ' + contents.length + '.');
    yield { ...says('Half an'), partial: true };
  }
}`,
    ),
    steps: [ASK, { say: 'again' }],
    expect: {
      turns: [
        [
          '... Half an',
          'root: [error model.truncated]',
          "failed model.truncated: The model's answer broke off before it was whole.",
        ],
        ['root: Now 2.'],
      ],
      stored: ['user: go', 'root: [error model.truncated]', 'user: again', 'root: Now 2.'],
    },
  },
  {
    name: 'token_limit',
    says: 'tells that an answer reached the limit of tokens, and drops its cut calls (B18)',
    source: rootAgentFile(`agent('root', [
      { ...says('So far'), finishReason: 'MAX_TOKENS' },
      { ...says('And', calls('f', { n: 1 })), finishReason: 'MAX_TOKENS' },
    ], { tools: [tool('f', () => { throw new Error('never run'); })] })`),
    steps: [{ say: 'go' }, ASK],
    expect: { turns: [['root: So far [error MAX_TOKENS]'], ['root: And [error MAX_TOKENS]']] },
  },
  {
    name: 'no_content',
    says: 'tells of an answer that says nothing, which a stream may do (B18)',
    source: rootAgentFile(`agent('root', [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }])`),
    steps: [{ say: 'go' }, ASK],
    expect: { turns: [['root: [error MODEL_RETURNED_NO_CONTENT]'], []] },
  },
  {
    name: 'stopped',
    says: 'tells why a model stopped without an answer (B18)',
    source: rootAgentFile(`agent('root', [{ finishReason: 'SAFETY' }])`),
    steps: [{ say: 'go' }, ASK],
    expect: { turns: [['root: [error SAFETY]'], ['root: [error SAFETY]']] },
  },
  {
    name: 'streamed_through_plugin',
    says: 'shows on_event each piece too, and stores what it made of the whole (B50)',
    source: appFile(
      `rootAgent: agent('root', [pieces(says('one'), says(' two'), says('one two'))]), plugins: [new Shouts('shouts')]`,
      `
class Shouts extends BasePlugin {
  onEventCallback({ event }) { return { content: spoken(event.content.parts[0].text.toUpperCase()) }; }
}`,
    ),
    steps: [ASK],
    expect: { turns: [['... ONE TWO', 'root: ONE TWO']], stored: ['user: go', 'root: ONE TWO'] },
  },
  {
    name: 'streamed_agent_tool',
    says: 'streams what the caller says, and nothing of an agent it calls (B19, B36)',
    source:
      rootAgentFile(`agent('root', [says(calls('helper', { request: 'help' })), pieces(says('Do'), says('ne.'), says('Done.'))], {
      tools: [new AgentTool({ agent: agent('helper', [pieces(says('I '), says('helped.'), says('I helped.'))]) })],
    })`),
    steps: [ASK],
    expect: {
      turns: [
        [
          '... Done.',
          'root: helper({"request":"help"})',
          'root: helper -> {"result":"I helped."}',
          'root: Done.',
        ],
      ],
    },
  },
];
