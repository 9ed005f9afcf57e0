import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const ME = 'You are an agent. Your internal name is "root".';

/** Instructions: variables, artifacts, functions, for one agent and for all. */
export const instructionCases: readonly ConformanceCase[] = [
  {
    name: 'variables',
    says: 'puts state of every scope into an instruction, and nothing where an optional variable is missing (B59)',
    state: { name: 'Ada', 'user:tz': 'CET', 'app:lang': 'en', count: 3, list: [1, { a: 2 }] },
    source: rootAgentFile(`agent('root', [says('Ok.')], {
      instruction: '{name} { name } {{name}} {nick?} {user:tz} {app:lang} {count} {list}.',
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: Ok.']],
      instructions: [`Ada Ada Ada  CET en 3 [1,{"a":2}].\n\n${ME}`],
    },
  },
  {
    name: 'braces',
    says: 'leaves braces alone that hold no variable (B59)',
    source: rootAgentFile(`agent('root', [says('Ok.')], {
      instruction: 'Write {"a": 1}, {}, {not-a-name}, {other:key}, {a.b} and { } as they are.',
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: Ok.']],
      instructions: [`Write {"a": 1}, {}, {not-a-name}, {other:key}, {a.b} and { } as they are.\n\n${ME}`],
    },
  },
  {
    name: 'variable_missing',
    says: 'fails the turn when a variable is missing, and the next one when it is there goes well (B59)',
    source: rootAgentFile(`agent('root', [says('Hello.')], { instruction: 'The user is {user:name}.' })`),
    steps: [{ say: 'go' }, { say: 'again', stateDelta: { 'user:name': 'Ada' } }],
    expect: {
      turns: [['failed instruction.variable: Context variable not found: `user:name`.'], ['root: Hello.']],
      stored: [
        'user: go',
        'root: [error instruction.variable]',
        'user: again [state {"user:name":"Ada"}]',
        'root: Hello.',
      ],
      instructions: [`The user is Ada.\n\n${ME}`],
    },
  },
  {
    name: 'artifact_in_instruction',
    says: 'puts the text of an artifact into an instruction, and nothing for an optional one that is missing (B59)',
    source: rootAgentFile(`agent('root', [says('Ok.'), says('Ok.')], {
      instruction: 'Rules: {artifact.rules.txt?} {artifact.none?}.',
      afterAgentCallback: async (context) => void (await context.saveArtifact('rules.txt', { text: 'No {jokes}.' })),
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [
        ['root: Ok.', 'root: [artifacts {"rules.txt":0}]'],
        ['root: Ok.', 'root: [artifacts {"rules.txt":1}]'],
      ],
      instructions: [`Rules:  .\n\n${ME}`, `Rules: No {jokes}. .\n\n${ME}`],
    },
  },
  {
    name: 'artifact_missing',
    says: 'fails the turn when an artifact of the instruction is missing (B59)',
    source: rootAgentFile(`agent('root', [says('never')], { instruction: 'Rules: {artifact.rules.txt}' })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['failed instruction.artifact: Artifact rules.txt not found.']], asked: [] },
  },
  {
    name: 'instruction_function',
    says: 'takes what an instruction function answers as it is, braces included (B59)',
    state: { name: 'Ada' },
    source: rootAgentFile(`agent('root', [says('Ok.')], {
      instruction: async ({ state, agentName, userContent }) =>
        [agentName, state.get('name'), '{name}', userContent.parts[0].text].join(' '),
    })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: Ok.']], instructions: [`root Ada {name} go\n\n${ME}`] },
  },
  {
    name: 'global_instruction',
    says: 'gives the global instruction of the root to every agent, first, and that of no other (B59)',
    state: { tone: 'kind' },
    source: rootAgentFile(`agent('root', [], {
      instruction: 'Lead.', globalInstruction: 'Be {tone}.',
      beforeModelCallback: () => says(calls('transfer_to_agent', { agentName: 'child' })),
      subAgents: [
        agent('child', [says('Ok.')], {
          instruction: 'Follow.', globalInstruction: 'Be rude.', disallowTransferToParent: true,
        }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: transfer_to_agent({"agentName":"child"})',
          'root: transfer_to_agent -> {"result":null} [to child]',
          'child: Ok.',
        ],
      ],
      instructions: ['Be kind.\n\nFollow.\n\nYou are an agent. Your internal name is "child".'],
    },
  },
  {
    name: 'global_instruction_function',
    says: 'makes the global instruction anew for each request (B59)',
    source: rootAgentFile(`agent('root', [says(calls('f')), says('Ok.')], {
      globalInstruction: ({ state }) => 'Count ' + state.get('count', 0) + '.',
      tools: [tool('f', (_args, { state }) => state.set('count', 1))],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: f({})', 'root: f -> {"result":null} [state {"count":1}]', 'root: Ok.']],
      instructions: [`Count 0.\n\n${ME}`, `Count 1.\n\n${ME}`],
    },
  },
  {
    name: 'static_instruction',
    says: 'keeps a static instruction as it is, and sends the other before what the user said last (B12)',
    state: { name: 'Ada' },
    source: rootAgentFile(`agent('root', [says('Hi.'), says('Ho.')], {
      staticInstruction: 'You know {everything}.', instruction: 'The user is {name}.',
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['root: Hi.'], ['root: Ho.']],
      instructions: [`You know {everything}.\n\n${ME}`, `You know {everything}.\n\n${ME}`],
      asked: [
        ['user: The user is Ada.', 'user: go'],
        ['user: go', 'model: Hi.', 'user: The user is Ada.', 'user: again'],
      ],
    },
  },
  {
    name: 'static_instruction_with_tools',
    says: 'sends the other instruction behind the responses of tools, never between a call and its response (B12)',
    source: rootAgentFile(`agent('root', [says(calls('f')), says('Done.')], {
      staticInstruction: { role: 'user', parts: [{ text: 'You count.' }, { text: 'Always.' }] },
      instruction: 'From one.',
      tools: [tool('f', () => 1)],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: f({})', 'root: f -> {"result":1}', 'root: Done.']],
      instructions: [`You count.\n\nAlways.\n\n${ME}`, `You count.\n\nAlways.\n\n${ME}`],
      asked: [
        ['user: From one.', 'user: go'],
        ['user: go', 'model: f({})', 'user: f -> {"result":1}', 'user: From one.'],
      ],
    },
  },
];
