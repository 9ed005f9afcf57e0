import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const MISSING =
  'Invoking `picky()` failed as the following mandatory input parameters are not present:\\nx\\ny\\n' +
  'You could retry calling this tool, but it is IMPORTANT for you to provide all the mandatory parameters.';

/** Calls, their arguments and what becomes of their results. */
export const toolCases: readonly ConformanceCase[] = [
  {
    name: 'one_tool',
    says: 'has one tool called with its arguments, read by its schema (B27)',
    source: rootAgentFile(`agent('root', [says(calls('f', { n: 1 })), says('Done.')], {
      tools: [tool('f', ({ n, unit }) => ({ n: n + 1, unit }), { parameters: z.object({ n: z.number(), unit: z.string().default('m') }) })],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: f({"n":1})', 'root: f -> {"n":2,"unit":"m"}', 'root: Done.']],
      asked: [['user: go'], ['user: go', 'model: f({"n":1})', 'user: f -> {"n":2,"unit":"m"}']],
    },
  },
  {
    name: 'tools_in_order',
    says: 'answers the calls of one turn in their order, whichever is done first (B26)',
    source:
      rootAgentFile(`agent('root', [says('Wait.', calls('f', { ms: 150 }), calls('f', { ms: 5 }), calls('f', { ms: 60 })), says('Done.')], {
      tools: [tool('f', ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, ms)))],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: Wait. + f({"ms":150}) + f({"ms":5}) + f({"ms":60})',
          'root: f -> {"result":150} + f -> {"result":5} + f -> {"result":60}',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'results',
    says: 'wraps what is no object as result (B29)',
    source:
      rootAgentFile(`agent('root', [says(calls('array'), calls('text'), calls('zero'), calls('no'), calls('nothing'), calls('none'), calls('empty'), calls('date')), says('Done.')], {
      tools: Object.entries({
        array: [1, 2], text: 'a', zero: 0, no: false, nothing: null, none: undefined, empty: {}, date: { at: new Date(0), skip: undefined },
      }).map(([name, value]) => tool(name, () => value)),
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: array({}) + text({}) + zero({}) + no({}) + nothing({}) + none({}) + empty({}) + date({})',
          'root: array -> {"result":[1,2]} + text -> {"result":"a"} + zero -> {"result":0} + no -> {"result":false} + nothing -> {"result":null} + none -> {"result":null} + empty -> {} + date -> {"at":"<moment>"}',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'tool_errors',
    says: 'lets the model read what a tool threw, and that there is no such tool (B28)',
    source:
      rootAgentFile(`agent('root', [says(calls('bad'), calls('ghost'), calls('toString'), calls('good')), says('I see.')], {
      tools: [tool('bad', () => { throw new Error('broken'); }), tool('good', () => 'fine')],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: bad({}) + ghost({}) + toString({}) + good({})',
          String.raw`root: bad -> {"error":"broken"} + ghost -> {"error":"Tool 'ghost' not found.\nAvailable tools: bad, good"} + toString -> {"error":"Tool 'toString' not found.\nAvailable tools: bad, good"} + good -> {"result":"fine"}`,
          'root: I see.',
        ],
      ],
    },
  },
  {
    name: 'arguments_missing',
    says: 'does not run a tool whose arguments are missing, nor asks anybody to allow that (B32)',
    source: rootAgentFile(`agent('root', [says(calls('picky', { z: 1 })), says('I see.')], {
      tools: [
        tool('picky', () => { throw new Error('never run'); }, {
          parameters: { type: 'object', properties: { x: { type: 'string' }, y: {}, z: {} }, required: ['x', 'y'] },
          requireConfirmation: true,
        }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: picky({"z":1})', `root: picky -> {"error":"${MISSING}"}`, 'root: I see.']],
    },
  },
  {
    name: 'arguments_wrong',
    says: 'does not run a tool whose arguments do not fit its schema, of either kind (B32)',
    source:
      rootAgentFile(`agent('root', [says(calls('f', { n: 'x' }), calls('g', {}), calls('h', { n: 'x' })), says('I see.')], {
      tools: [
        tool('f', () => 'never', { parameters: z.object({ n: z.number() }) }),
        tool('g', () => 'never', { parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } }),
        tool('h', ({ n }) => n, { parameters: { type: 'OBJECT', properties: { n: { type: 'STRING' } } } }),
      ],
      afterToolCallback: ({ response }) => (response.error ? { refused: response.error.split('\\n')[0] } : undefined),
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: f({"n":"x"}) + g({}) + h({"n":"x"})',
          'root: f -> {"refused":"Invoking `f()` failed as its arguments do not match its parameters:"} + g -> {"refused":"Invoking `g()` failed as the following mandatory input parameters are not present:"} + h -> {"result":"x"}',
          'root: I see.',
        ],
      ],
    },
  },
  {
    name: 'errors_raised',
    says: 'fails the turn with what a tool threw where errors are raised, and answers the call (B23, B26)',
    source: rootAgentFile(`agent('root', [says(calls('bad'), calls('good')), says('Better.')], {
      toolErrors: 'raise',
      tools: [tool('bad', () => { throw new Error('broken'); }), tool('good', () => 'fine')],
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['failed ToolError: broken'], ['root: Better.']],
      stored: [
        'user: go',
        'root: bad({}) + good({})',
        'root: bad -> {"error":"The run failed before this call was answered: broken"} + good -> {"error":"The run failed before this call was answered: broken"}',
        'root: [error ToolError]',
        'user: again',
        'root: Better.',
      ],
    },
  },
  {
    name: 'unknown_raised',
    says: 'fails the turn with the name of a tool nobody knows where errors are raised (B28)',
    source: rootAgentFile(`agent('root', [says(calls('ghost')), says('Better.')], {
      toolErrors: 'raise', tools: [tool('f', () => 1), tool('g', () => 1)],
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [["failed ToolError: Tool 'ghost' not found.\nAvailable tools: f, g"], ['root: Better.']],
    },
  },
  {
    name: 'shown_as_it_is',
    says: 'ends the turn with a result that is to be shown as it is (B16, B30)',
    source:
      rootAgentFile(`agent('root', [says(calls('text')), says(calls('object')), says(calls('list')), says(calls('nothing'), calls('error'))], {
      tools: Object.entries({ text: 'as it is', object: { a: 1 }, list: [1], nothing: null, error: { error: 'no' } }).map(
        ([name, value]) => tool(name, (_args, { actions }) => { actions.skipSummarization = true; return value; }),
      ),
    })`),
    steps: [{ say: '1' }, { say: '2' }, { say: '3' }, { say: '4' }],
    expect: {
      turns: [
        ['root: text({})', 'root: text -> {"result":"as it is"} + as it is [as it is]'],
        ['root: object({})', 'root: object -> {"a":1} + {"a":1} [as it is]'],
        ['root: list({})', 'root: list -> {"result":[1]} + [1] [as it is]'],
        [
          'root: nothing({}) + error({})',
          'root: nothing -> {"result":null} + error -> {"error":"no"} [as it is]',
        ],
      ],
    },
  },
  {
    name: 'merged_actions',
    says: 'merges what the tools of one turn do beside answering (B31)',
    source:
      rootAgentFile(`agent('root', [says(calls('save', { name: 'a' }), calls('save', { name: 'a' }), calls('save', { name: 'b' }), calls('stop')), says('never')], {
      tools: [
        tool('save', async ({ name }, context) => {
          await context.saveArtifact(name, { text: name });
          context.state.set(name, true);
          return 'saved';
        }),
        tool('stop', (_args, { actions }) => { actions.escalate = true; actions.skipSummarization = true; }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: save({"name":"a"}) + save({"name":"a"}) + save({"name":"b"}) + stop({})',
          'root: save -> {"result":"saved"} + save -> {"result":"saved"} + save -> {"result":"saved"} + stop -> {"result":null} [state {"a":true,"b":true}] [artifacts {"a":1,"b":0}] [escalates] [as it is]',
        ],
      ],
    },
  },
  {
    name: 'tool_context',
    says: 'shows a tool its call, its run and its user (B27)',
    source: rootAgentFile(`agent('root', [says(calls('who', {}, 'c1')), says('Done.')], {
      tools: [
        tool('who', (_args, context) => ({
          call: context.functionCallId, agent: context.agentName, user: context.userId, app: context.appName,
          session: context.sessionId, said: context.userContent.parts[0].text,
          invocation: context.invocationId.slice(0, 2), aborted: context.abortSignal.aborted,
        })),
      ],
    })`),
    steps: [{ say: 'who am I' }],
    expect: {
      turns: [
        [
          'root: who({})',
          'root: who -> {"app":"tool_context","call":"c1","said":"who am I","user":"ada","agent":"root","aborted":false,"session":"s1","invocation":"e-"}',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'escalating_tool',
    says: 'ends a loop around an agent whose tool escalates, after the agent is done (B42)',
    source: rootAgentFile(`new LoopAgent({
      name: 'loop',
      subAgents: [
        agent('worker', [says(calls('stop')), says('I am done.'), says('never')], {
          tools: [tool('stop', (_args, { actions }) => void (actions.escalate = true))],
        }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['worker: stop({})', 'worker: stop -> {"result":null} [escalates]', 'worker: I am done.']],
    },
  },
  {
    name: 'too_many_calls',
    says: 'runs no more than 32 calls of one turn, and tells the model (B26)',
    source:
      rootAgentFile(`agent('root', [says(...Array.from({ length: 34 }, () => calls('f'))), says('Done.')], {
      tools: [tool('f', () => 1, { placement: 'inline' })],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          `root: ${Array.from({ length: 34 }, () => 'f({})').join(' + ')}`,
          `root: ${[
            ...Array.from({ length: 32 }, () => 'f -> {"result":1}'),
            ...Array.from(
              { length: 2 },
              () => 'f -> {"error":"Not run: 34 calls in one turn, of which the first 32 were run."}',
            ),
          ].join(' + ')}`,
          'root: Done.',
        ],
      ],
    },
  },
];
