import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const TOOLSET = `
class Numbers extends BaseToolset {
  async getTools() {
    return [
      tool('one', () => 1),
      tool('two', () => 2),
      tool('three', (_args, { state }) => { state.set('three', 3); return 3; }),
    ];
  }
}
class Broken extends BaseToolset {
  async getTools() { throw new Error('not reachable'); }
}`;

/** Tools that are known only when an agent runs, and tools that are more than a function. */
export const toolsetCases: readonly ConformanceCase[] = [
  {
    name: 'toolset',
    says: 'takes the tools of a toolset that its filter names, under their prefix (B24)',
    source: rootAgentFile(
      `agent('root', [says(calls('n_three'), calls('n_one'), calls('three')), says('Done.')], {
        tools: [new Numbers({ toolFilter: ['one', 'three'], prefix: 'n' })],
      })`,
      TOOLSET,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: n_three({}) + n_one({}) + three({})',
          String.raw`root: n_three -> {"result":3} + n_one -> {"result":1} + three -> {"error":"Tool 'three' not found.\nAvailable tools: n_one, n_three"} [state {"three":3}]`,
          'root: Done.',
        ],
      ],
      state: { three: 3 },
    },
  },
  {
    name: 'toolset_predicate',
    says: 'asks the predicate of a toolset at each request, with the state of the moment (B24)',
    source: rootAgentFile(
      `agent('root', [says(calls('two')), says(calls('three')), says(calls('two')), says('Done.')], {
        tools: [new Numbers({ toolFilter: ({ name }, { state }) => name === 'three' || state.has('three') })],
      })`,
      TOOLSET,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: two({})',
          String.raw`root: two -> {"error":"Tool 'two' not found.\nAvailable tools: three"}`,
          'root: three({})',
          'root: three -> {"result":3} [state {"three":3}]',
          'root: two({})',
          'root: two -> {"result":2}',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'toolset_broken',
    says: 'leaves out a toolset that cannot give its tools, and goes on with the others (B24)',
    source: rootAgentFile(
      `agent('root', [says(calls('one')), says('Done.')], { tools: [new Broken(), new Numbers()] })`,
      TOOLSET,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: one({})', 'root: one -> {"result":1}', 'root: Done.']] },
  },
  {
    name: 'toolset_twice',
    says: 'fails the turn when two toolsets bring a tool of one name (B24)',
    source: rootAgentFile(
      `agent('root', [says('never')], { tools: [new Numbers(), new Numbers({ toolFilter: ['two'] })] })`,
      TOOLSET,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['failed tool.duplicate: Two tools are called "two".']], asked: [] },
  },
  {
    name: 'toolset_request',
    says: 'lets toolsets and tools change the request, in the order of the agent (B24)',
    source: rootAgentFile(
      `agent('root', [says(calls('stamp')), says('Done.')], { tools: [new Stamp(), new Preface()] })`,
      `
class Stamp extends BaseTool {
  constructor() { super({ name: 'stamp', description: 'Stamps.' }); }
  getDeclaration() { return { name: 'stamp', description: 'Stamps.' }; }
  async runAsync({ args, toolContext }) { return { by: toolContext.agentName, args }; }
  async processLlmRequest({ llmRequest, toolContext }) {
    await super.processLlmRequest({ llmRequest, toolContext });
    llmRequest.config.systemInstruction += ' The tool.';
  }
}
class Preface extends BaseToolset {
  async getTools() { return []; }
  async processLlmRequest(_context, llmRequest) { llmRequest.config.systemInstruction += ' The toolset.'; }
}`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: stamp({})', 'root: stamp -> {"by":"root","args":{}}', 'root: Done.']],
      instructions: [
        'You are an agent. Your internal name is "root". The toolset. The tool.',
        'You are an agent. Your internal name is "root". The toolset. The tool.',
      ],
    },
  },
  {
    name: 'request_processors',
    says: 'runs the processors of an author at the place they name (B24)',
    source: rootAgentFile(
      `agent('root', [says('Hi.')], {
        instruction: 'Be brief.',
        requestProcessors: [
          { before: 'identity', processor: new Adds('Before identity.') },
          { after: 'contents', processor: new Says() },
        ],
        responseProcessors: [{ before: 'planning', processor: new Shouts() }],
      })`,
      `
class Adds extends BaseLlmRequestProcessor {
  constructor(text) { super(); this.text = text; }
  async *runAsync(_context, request) { request.config.systemInstruction += ' ' + this.text; }
}
class Says extends BaseLlmRequestProcessor {
  async *runAsync(context, request) {
    request.contents.push({ role: 'user', parts: [{ text: 'Shout.' }] });
    yield createEvent({ author: context.agentName, content: spoken('One moment.') });
  }
}
class Shouts extends BaseLlmResponseProcessor {
  async *runAsync(_context, response) { response.content.parts[0].text += '!'; }
}`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: One moment.', 'root: Hi.!']],
      asked: [['user: go', 'user: Shout.']],
      instructions: ['Be brief. Before identity.\n\nYou are an agent. Your internal name is "root".'],
    },
  },
];
