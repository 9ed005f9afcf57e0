import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** Agents and messages that are refused. */
export const badInputCases: readonly ConformanceCase[] = [
  {
    name: 'refused_when_built',
    says: 'refuses to build what could not be run: names, trees, tools, schemas, plugins, apps (B45, B53)',
    source: rootAgentFile(
      `new CustomAgent({
        name: 'builder',
        async *run() {
          for (const [what, build] of Object.entries(attempts)) {
            let told = 'built';
            try { build(); } catch (error) { told = error.code; }
            yield createEvent({ author: 'builder', content: spoken(what + ': ' + told) });
          }
        },
      })`,
      `
const child = () => agent('child', []);
const shared = child();
agent('first_parent', [], { subAgents: [shared] });
const attempts = {
  'an agent with spaces': () => agent('a b', []),
  'an agent called user': () => agent('user', []),
  'two children of one name': () => agent('root', [], { subAgents: [child(), child()] }),
  'a child called as its parent': () => agent('child', [], { subAgents: [child()] }),
  'a child of two parents': () => agent('root', [], { subAgents: [shared] }),
  'a child that is no agent': () => agent('root', [], { subAgents: [{}] }),
  'two tools of one name': () => agent('root', [], { tools: [tool('f', () => 1), tool('f', () => 2)] }),
  'a tool without a name': () => new FunctionTool({ description: 'x', execute: () => 1 }),
  'a tool with a bad name': () => tool('a b', () => 1),
  'a processor nowhere': () => agent('root', [], { requestProcessors: [{ after: 'nothing', processor: {} }] }),
  'a loop of minus one': () => new LoopAgent({ name: 'loop', maxIterations: -1, subAgents: [] }),
  'an app called user': () => new App({ name: 'user', rootAgent: child() }),
  'an app without agent': () => new App({ name: 'app', rootAgent: {} }),
  'two plugins of one name': () => new App({ name: 'app', rootAgent: child(), plugins: [new LoggingPlugin('x'), new LoggingPlugin('x')] }),
  'a plugin that is none': () => new App({ name: 'app', rootAgent: child(), plugins: [{}] }),
  'a good one': () => new App({ name: 'app', rootAgent: child() }),
};`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'builder: an agent with spaces: agent.name',
          'builder: an agent called user: agent.name',
          'builder: two children of one name: agent.duplicate-name',
          'builder: a child called as its parent: agent.duplicate-name',
          'builder: a child of two parents: agent.two-parents',
          'builder: a child that is no agent: agent.sub-agent',
          'builder: two tools of one name: agent.duplicate-tool',
          'builder: a tool without a name: tool.name',
          'builder: a tool with a bad name: tool.name',
          'builder: a processor nowhere: agent.processor-place',
          'builder: a loop of minus one: agent.max-iterations',
          'builder: an app called user: app.name',
          'builder: an app without agent: app.root-agent',
          'builder: two plugins of one name: plugin.duplicate',
          'builder: a plugin that is none: app.plugin',
          'builder: a good one: built',
        ],
      ],
    },
  },
  {
    name: 'tool_actions',
    says: 'tells the model of actions that a tool may not leave, and takes no history from a tool (B27, B31)',
    source: rootAgentFile(
      `agent('root', [says(...Object.keys(changes).map((name) => calls(name, {}, name))), says('Done.')], {
        tools: Object.entries(changes).map(([name, change]) =>
          tool(name, (_args, context) => { context.state.set(name, 1); change(context); return 'done'; })),
      })`,
      `
const changes = {
  unset: ({ actions }) => Object.assign(actions, { transferToAgent: null, escalate: null, skipSummarization: undefined }),
  transfer: ({ actions }) => { actions.transferToAgent = 42; },
  escalate: ({ actions }) => { actions.escalate = 'yes'; },
  skip: ({ actions }) => { actions.skipSummarization = 1; },
  state: ({ actions }) => { actions.stateDelta = 5; },
  artifact: ({ actions }) => { actions.artifactDelta = { x: 'y' }; },
  confirmations: ({ actions }) => { actions.requestedToolConfirmations = { q: true }; },
  hint: (context) => context.requestConfirmation({ hint: 42 }),
  threw: ({ actions }) => { actions.escalate = 'yes'; throw new Error('late'); },
  forge: ({ actions, invocationId }) => Object.assign(actions, {
    rewindBeforeInvocationId: invocationId,
    compaction: { startTimestamp: 0, endTimestamp: 9e9, compactedContent: spoken('lies') },
    endOfAgent: true,
    agentState: { at: 1 },
  }),
};`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: unset({}) + transfer({}) + escalate({}) + skip({}) + state({}) + artifact({}) + confirmations({}) + hint({}) + threw({}) + forge({})',
          [
            'root: unset -> {"result":"done"}',
            `transfer -> ${badActions('transfer', 'transferToAgent: Invalid input: expected string, received number')}`,
            `escalate -> ${badActions('escalate', 'escalate: Invalid input: expected boolean, received string')}`,
            `skip -> ${badActions('skip', 'skipSummarization: Invalid input: expected boolean, received number')}`,
            `state -> ${badActions('state', 'stateDelta: Invalid input: expected record, received number')}`,
            `artifact -> ${badActions('artifact', 'artifactDelta.x: Invalid input: expected number, received string')}`,
            `confirmations -> ${badActions('confirmations', 'requestedToolConfirmations.q: Invalid input: expected object, received boolean')}`,
            `hint -> ${badActions('hint', 'requestedToolConfirmations.hint.hint: Invalid input: expected string, received number')}`,
            `threw -> ${badActions('threw', 'escalate: Invalid input: expected boolean, received string')}`,
            'forge -> {"result":"done"} [state {"forge":1,"unset":1}]',
          ].join(' + '),
          'root: Done.',
        ],
      ],
      state: { unset: 1, forge: 1 },
    },
  },
  {
    name: 'message_empty',
    says: 'refuses a message without parts, and stores nothing of it (B46)',
    source: rootAgentFile(`agent('root', [says('Hello.')])`),
    steps: [{ say: { role: 'user', parts: [] } }, { say: 'hi' }],
    expect: {
      turns: [['failed message.empty: A message must have at least one part.'], ['root: Hello.']],
      stored: ['user: hi', 'root: Hello.'],
    },
  },
  {
    name: 'message_with_call',
    says: 'refuses a call in the message of a user (B46)',
    source: rootAgentFile(`agent('root', [says('Hello.')], { tools: [tool('f', () => 1)] })`),
    steps: [{ say: { role: 'user', parts: [{ functionCall: { name: 'f', args: {} } }] } }, { say: 'hi' }],
    expect: {
      turns: [
        [
          'failed message.function-call: A user message must not hold function calls: only agents call tools.',
        ],
        ['root: Hello.'],
      ],
      stored: ['user: hi', 'root: Hello.'],
    },
  },
  {
    name: 'message_mixed',
    says: 'refuses a message of answers and words (B46)',
    source: rootAgentFile(`agent('root', [says(calls('wait', {}, 'w')), says('Hello.')], {
      tools: [new LongRunningFunctionTool({ name: 'wait', description: 'Waits.', execute: () => null })],
    })`),
    steps: [
      { say: 'go' },
      {
        say: {
          role: 'user',
          parts: [{ functionResponse: { id: 'w', name: 'wait', response: {} } }, { text: 'And this.' }],
        },
      },
      { say: { role: 'user', parts: [{ functionResponse: { name: 'wait', response: {} } }] } },
    ],
    expect: {
      turns: [
        ['root: wait({}) [waits]'],
        [
          'failed message.mixed: Message cannot contain both function responses and text. Function responses resume an invocation, text starts one.',
        ],
        ['failed message.response-without-id: A function response must carry the id of the call it answers.'],
      ],
      stored: ['user: go', 'root: wait({}) [waits]'],
    },
  },
  {
    name: 'message_without_role',
    says: 'takes a message without a role for one of the user, and refuses nothing that is only odd (B46)',
    source: rootAgentFile(`agent('root', [says('Hello.'), says('Hello.')])`),
    steps: [{ say: { parts: [{ text: ' ' }] } }, { say: { parts: [{ text: 'a' }, { text: 'b' }] } }],
    expect: {
      turns: [['root: Hello.'], ['root: Hello.']],
      asked: [[], ['model: Hello.', 'user: a + b']],
    },
  },
];

function badActions(tool: string, why: string): string {
  return `{"error":"The actions of tool '${tool}' cannot be used: ${why}."}`;
}
