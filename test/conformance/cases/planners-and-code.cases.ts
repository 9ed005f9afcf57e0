import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const EXECUTOR = `
class Echo extends BaseCodeExecutor {
  async executeCode({ code, language }) {
    return code.includes('fail') ? { stdout: '', stderr: 'it failed' } : { stdout: language + ' ran ' + code, stderr: '' };
  }
}`;

/** Agents that plan, and agents that write code. */
export const plannerAndCodeCases: readonly ConformanceCase[] = [
  {
    name: 'code',
    says: 'runs the first block of code of an answer, drops what was made up behind it, and asks again (B15, B16)',
    source: rootAgentFile(
      `agent('root', [says('Let me compute.\\n\`\`\`python\\n1 + 1\\n\`\`\`\\nIt is 3.'), says('It is 2.')], { codeExecutor: new Echo() })`,
      EXECUTOR,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: Let me compute.\n + code<1 + 1>', 'root: output<python ran 1 + 1>', 'root: It is 2.']],
      asked: [
        ['user: go'],
        [
          'user: go',
          'model: Let me compute.\n + ```tool_code\n1 + 1\n```',
          'user: ```tool_output\npython ran 1 + 1\n```',
        ],
      ],
    },
  },
  {
    name: 'code_fails',
    says: 'shows the model what went wrong with its code (B16)',
    source: rootAgentFile(
      `agent('root', [says('\`\`\`javascript\\nfail()\\n\`\`\`'), says('\`\`\`tool_code\\nok()\\n\`\`\`'), says('Now.')], { codeExecutor: new Echo({ placement: 'inline' }) })`,
      EXECUTOR,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: code<fail()>',
          'root: output<it failed>',
          'root: code<ok()>',
          'root: output<python ran ok()>',
          'root: Now.',
        ],
      ],
    },
  },
  {
    name: 'code_as_text',
    says: 'takes code for words where there is nothing to run it (B16)',
    source: rootAgentFile(`agent('root', [says('\`\`\`python\\n1 + 1\\n\`\`\`')])`),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: ```python\n1 + 1\n```']] },
  },
  {
    name: 'code_of_model',
    says: 'asks again after a result of code that the model ran itself (B16)',
    source: rootAgentFile(`agent('root', [
      says({ executableCode: { code: '1 + 1', language: 'PYTHON' } }, { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } }),
      says('It is 2.'),
    ])`),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: code<1 + 1> + output<2>', 'root: It is 2.']] },
  },
  {
    name: 'plan_re_act',
    says: 'sorts a plan from an answer by their tags, and shows the model its plan as its own words (B24)',
    source: rootAgentFile(`agent('root', [
      says('/*PLANNING*/Call f.', calls('f'), 'It gives 7.'), says('/*REASONING*/So. /*FINAL_ANSWER*/It is 1.'),
    ], { planner: new PlanReActPlanner(), tools: [tool('f', () => 1)] })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: (Call f.) + f({})', 'root: f -> {"result":1}', 'root: (So. ) + It is 1.']],
      asked: [['user: go'], ['user: go', 'model: Call f. + f({})', 'user: f -> {"result":1}']],
    },
  },
  {
    name: 'built_in_planner',
    says: 'asks the model itself to think, as its planner says (B24)',
    source: rootAgentFile(`agent('root', [says(thinks('Hm.'), 'Yes.')], {
      planner: new BuiltInPlanner({ thinkingConfig: { includeThoughts: true, thinkingBudget: 64 } }),
      beforeModelCallback: ({ request, context }) => void context.state.set('budget', request.config.thinkingConfig.thinkingBudget),
    })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: (Hm.) + Yes. [state {"budget":64}]']], state: { budget: 64 } },
  },
  {
    name: 'own_planner',
    says: 'lets a planner of the author tell the model how, and change what it answers (B24)',
    state: { style: 'short' },
    source: rootAgentFile(
      `agent('root', [says('First.', 'Then.')], { planner: new Own(), instruction: 'Act.' })`,
      `
class Own extends BasePlanner {
  buildPlanningInstruction({ state }) { return 'Plan in a ' + state.get('style') + ' way.'; }
  processPlanningResponse(_context, [first, ...rest]) { return [{ ...first, thought: true }, ...rest]; }
}`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: (First.) + Then.']],
      instructions: ['Act.\n\nYou are an agent. Your internal name is "root".\n\nPlan in a short way.'],
    },
  },
];
