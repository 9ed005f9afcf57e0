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
