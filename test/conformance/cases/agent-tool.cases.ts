import { appFile, rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** A root that calls an agent `helper` as its tool. */
function withHelper(
  helper: string,
  root = `[says(calls('helper', { request: 'help' })), says('Done.')]`,
): string {
  return rootAgentFile(`agent('root', ${root}, { tools: [new AgentTool({ agent: ${helper} })] })`);
}

/** Agents that other agents call as tools. */
export const agentToolCases: readonly ConformanceCase[] = [
  {
    name: 'agent_tool',
    says: 'runs an agent as a tool, on a session of its own, and answers with what it said (B36)',
    source: withHelper(
      `agent('helper', [says('I helped.')], { description: 'Helps.', instruction: 'Help.' })`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: helper({"request":"help"})', 'root: helper -> {"result":"I helped."}', 'root: Done.']],
      asked: [
        ['user: go'],
        ['user: help'],
        ['user: go', 'model: helper({"request":"help"})', 'user: helper -> {"result":"I helped."}'],
      ],
    },
  },
  {
    name: 'agent_tool_texts',
    says: 'joins the texts of the last thing a called agent said, without its thoughts (B36)',
    source: withHelper(`new SequentialAgent({
      name: 'helper',
      subAgents: [agent('first', [says('Not this.')]), agent('last', [says(thinks('Hm.'), 'One.', 'Two.')])],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        ['root: helper({"request":"help"})', 'root: helper -> {"result":"One.\\nTwo."}', 'root: Done.'],
      ],
    },
  },
  {
    name: 'agent_tool_state',
    says: 'gives a called agent the state of its caller, and its caller what it changes (B36)',
    state: { topic: 'rain', _adk_internal: 1 },
    source: withHelper(`agent('helper', [says(calls('note')), says('It rains.')], {
      instruction: 'On {topic} {_adk_internal?}.',
      outputKey: 'answer',
      tools: [tool('note', (_args, { state }) => { state.set('user:noted', true); state.set('temp:x', 1); return 'ok'; })],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: helper({"request":"help"})',
          'root: helper -> {"result":"It rains."} [state {"answer":"It rains.","user:noted":true}]',
          'root: Done.',
        ],
      ],
      state: { topic: 'rain', _adk_internal: 1, answer: 'It rains.', 'user:noted': true },
    },
  },
  {
    name: 'agent_tool_input',
    says: 'takes the arguments a called agent declares, and sends it these as JSON (B36)',
    source: withHelper(
      `agent('helper', [says('Sunny.')], { inputSchema: z.object({ city: z.string(), days: z.number() }) })`,
      `[says(calls('helper', { city: 'Rome' })), says(calls('helper', { city: 'Rome', days: 2 })), says('Done.')]`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: helper({"city":"Rome"})',
          String.raw`root: helper -> {"error":"Invoking ${'`helper()`'} failed as the following mandatory input parameters are not present:\ndays\nYou could retry calling this tool, but it is IMPORTANT for you to provide all the mandatory parameters."}`,
          'root: helper({"city":"Rome","days":2})',
          'root: helper -> {"result":"Sunny."}',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'agent_tool_output',
    says: 'answers with the object a called agent was to give (B36)',
    source: withHelper(
      `agent('helper', [says('{"degrees": 21}')], { outputSchema: z.object({ degrees: z.number(), unit: z.string().default('C') }) })`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        ['root: helper({"request":"help"})', 'root: helper -> {"unit":"C","degrees":21}', 'root: Done.'],
      ],
    },
  },
  {
    name: 'agent_tool_refused',
    says: 'answers with what went wrong when a called agent says nothing else (B36)',
    source: withHelper(`agent('helper', [{ errorCode: 'SAFETY', errorMessage: 'I must not.' }])`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        ['root: helper({"request":"help"})', 'root: helper -> {"result":"I must not."}', 'root: Done.'],
      ],
    },
  },
  {
    name: 'agent_tool_fails',
    says: 'lets the caller read why a called agent failed (B28, B36)',
    source: withHelper(`agent('helper', [says('never')], { instruction: 'Of {nothing}.' })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: helper({"request":"help"})',
          'root: helper -> {"error":"Context variable not found: `nothing`."}',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'agent_tool_as_it_is',
    says: 'shows what a called agent said as it is where that is asked for (B30, B36)',
    source: rootAgentFile(`agent('root', [says(calls('helper', { request: 'help' })), says('never')], {
      tools: [new AgentTool({ agent: agent('helper', [says('I helped.')]), skipSummarization: true })],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        ['root: helper({"request":"help"})', 'root: helper -> {"result":"I helped."} + I helped. [as it is]'],
      ],
    },
  },
  {
    name: 'agent_tool_again',
    says: 'goes on in the script of a called agent from call to call and turn to turn (B36)',
    source: withHelper(
      `agent('helper', [says('One.'), says('Two.'), says('Three.')])`,
      `[says(calls('helper', { request: 'a' })), says(calls('helper', { request: 'b' })), says('Done.'), says(calls('helper', { request: 'c' })), says('Again.')]`,
    ),
    steps: [{ say: 'go' }, { say: 'go' }],
    expect: {
      turns: [
        [
          'root: helper({"request":"a"})',
          'root: helper -> {"result":"One."}',
          'root: helper({"request":"b"})',
          'root: helper -> {"result":"Two."}',
          'root: Done.',
        ],
        ['root: helper({"request":"c"})', 'root: helper -> {"result":"Three."}', 'root: Again.'],
      ],
    },
  },
  {
    name: 'agent_tool_nested',
    says: 'runs an agent that calls an agent, each with its own history (B36)',
    source: withHelper(`agent('helper', [says(calls('expert', { request: 'how?' })), says('Like this.')], {
      tools: [new AgentTool({ agent: agent('expert', [says('I know.')]) })],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: helper({"request":"help"})', 'root: helper -> {"result":"Like this."}', 'root: Done.']],
      asked: [
        ['user: go'],
        ['user: help'],
        ['user: how?'],
        ['user: help', 'model: expert({"request":"how?"})', 'user: expert -> {"result":"I know."}'],
        ['user: go', 'model: helper({"request":"help"})', 'user: helper -> {"result":"Like this."}'],
      ],
    },
  },
  {
    name: 'agent_tool_artifacts',
    says: 'keeps the artifacts of a called agent in the session of its caller (B36, B60)',
    source: withHelper(`agent('helper', [says(calls('draw')), says('Drawn.')], {
      tools: [tool('draw', async (_args, context) => ({ version: await context.saveArtifact('art.txt', { text: 'art' }) }))],
      afterAgentCallback: async (context) => void (await context.saveArtifact('art.txt', { text: 'more art' })),
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: helper({"request":"help"})',
          'root: helper -> {"result":"Drawn."} [artifacts {"art.txt":1}]',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'agent_tool_plugins',
    says: 'has the plugins of the app take part in the run of a called agent, or not (B36)',
    source: appFile(
      `rootAgent: agent('root', [says(calls('watched', { request: 'a' }), calls('alone', { request: 'b' })), says('Done.')], {
        tools: [
          new AgentTool({ agent: agent('watched', [says('One.')]) }),
          new AgentTool({ agent: agent('alone', [says('Two.')]), includePlugins: false }),
        ],
      }),
      plugins: [new Shouts('shouts')]`,
      `
class Shouts extends BasePlugin {
  afterModelCallback({ llmResponse }) {
    const [part] = llmResponse.content.parts;
    return part.text ? says(part.text.toUpperCase()) : undefined;
  }
}`,
    ),
    unordered: true,
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: watched({"request":"a"}) + alone({"request":"b"})',
          'root: watched -> {"result":"ONE."} + alone -> {"result":"Two."}',
          'root: DONE.',
        ],
      ],
    },
  },
];
