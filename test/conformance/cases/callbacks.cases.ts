import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** Writes a word into the list `trace` of the state. */
const TRACE = `
const note = (word) => ({ state }) => void state.set('trace', [...(state.get('trace') ?? []), word]);
const noted = (word) => ({ context }) => note(word)(context);`;

/** What an agent's own callbacks see and change. */
export const callbackCases: readonly ConformanceCase[] = [
  {
    name: 'six_callbacks',
    says: 'calls the six callbacks in order around the model and its tools, their state on the event they belong to (B21, B27, B40)',
    source: rootAgentFile(
      `agent('root', [says(calls('f')), says('Done.')], {
        tools: [tool('f', (_args, context) => { note('tool')(context); return 1; })],
        beforeAgentCallback: note('before agent'),
        beforeModelCallback: noted('before model'),
        afterModelCallback: noted('after model'),
        beforeToolCallback: noted('before tool'),
        afterToolCallback: noted('after tool'),
        afterAgentCallback: note('after agent'),
      })`,
      TRACE,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: [state {"trace":["before agent"]}]',
          'root: f({}) [state {"trace":["before agent","before model","after model"]}]',
          'root: f -> {"result":1} [state {"trace":["before agent","before model","after model","before tool","tool","after tool"]}]',
          'root: Done. [state {"trace":["before agent","before model","after model","before tool","tool","after tool","before model","after model"]}]',
          'root: [state {"trace":["before agent","before model","after model","before tool","tool","after tool","before model","after model","after agent"]}]',
        ],
      ],
    },
  },
  {
    name: 'before_agent_answers',
    says: 'lets before_agent answer in the place of the agent, which then has no after_agent either (B40)',
    source: rootAgentFile(`agent('root', [says('never')], {
      beforeAgentCallback: ({ state }) => { state.set('asked', true); return { parts: [{ text: 'I am away.' }] }; },
      afterAgentCallback: () => spoken('never'),
    })`),
    steps: [{ say: 'go' }, { say: 'go' }],
    expect: {
      turns: [['root: I am away. [state {"asked":true}]'], ['root: I am away. [state {"asked":true}]']],
      asked: [],
    },
  },
  {
    name: 'before_agent_list',
    says: 'asks the callbacks of a list until one says something (B21, B40)',
    source: rootAgentFile(`agent('root', [says('never')], {
      beforeAgentCallback: [
        ({ state }) => void state.set('first', 1),
        () => null,
        () => spoken('The third.'),
        ({ state }) => void state.set('fourth', 1),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: The third. [state {"first":1}]']], state: { first: 1 } },
  },
  {
    name: 'after_agent_adds',
    says: 'adds what after_agent says as an event of its own (B40)',
    source: rootAgentFile(`agent('root', [says('Hello.'), says('Hello again.')], {
      afterAgentCallback: [() => undefined, () => spoken('Bye.'), () => spoken('never')],
    })`),
    steps: [{ say: 'go' }, { say: 'go' }],
    expect: {
      turns: [
        ['root: Hello.', 'root: Bye.'],
        ['root: Hello again.', 'root: Bye.'],
      ],
      asked: [['user: go'], ['user: go', 'model: Hello.', 'model: Bye.', 'user: go']],
    },
  },
  {
    name: 'before_model_answers',
    says: 'asks neither the model nor after_model when before_model answers (B21)',
    source: rootAgentFile(`agent('root', [says('From the model.')], {
      beforeModelCallback: ({ request, context }) => {
        context.state.set('seen', request.contents.length);
        return request.contents.length === 1 ? says('From the cache.') : undefined;
      },
      afterModelCallback: ({ context }) => void context.state.set('after', true),
    })`),
    steps: [{ say: 'go' }, { say: 'go on' }],
    expect: {
      turns: [
        ['root: From the cache. [state {"seen":1}]'],
        ['root: From the model. [state {"seen":3,"after":true}]'],
      ],
      asked: [['user: go', 'model: From the cache.', 'user: go on']],
    },
  },
  {
    name: 'before_model_changes',
    says: 'sends the model the request as before_model callbacks left it, and stores nothing of that (B21)',
    source: rootAgentFile(`agent('root', [says('Fine.')], {
      beforeModelCallback: [
        ({ request }) => void request.contents.unshift({ role: 'user', parts: [{ text: 'Note.' }] }),
        ({ request }) => { request.config.temperature = 0.1; request.config.systemInstruction += ' Be kind.'; },
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: Fine.']],
      asked: [['user: Note.', 'user: go']],
      instructions: ['You are an agent. Your internal name is "root". Be kind.'],
      stored: ['user: go', 'root: Fine.'],
    },
  },
  {
    name: 'after_model_replaces',
    says: 'takes the answer of the first after_model callback that has one (B21)',
    source: rootAgentFile(`agent('root', [says('rude'), says('polite')], {
      afterModelCallback: [
        () => undefined,
        ({ response }) => (response.content.parts[0].text === 'rude' ? says('...') : undefined),
        ({ context }) => void context.state.set('last', true),
      ],
    })`),
    steps: [{ say: 'go' }, { say: 'go' }],
    expect: { turns: [['root: ...'], ['root: polite [state {"last":true}]']] },
  },
  {
    name: 'before_tool_answers',
    says: 'takes an empty object of before_tool as the answer, and shows it to after_tool (B27)',
    source: rootAgentFile(`agent('root', [says(calls('f')), says('Done.')], {
      tools: [tool('f', () => { throw new Error('never run'); })],
      beforeToolCallback: [() => undefined, () => ({}), () => ({ never: true })],
      afterToolCallback: ({ response }) => ({ ...response, after: Object.keys(response).length }),
    })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: f({})', 'root: f -> {"after":0}', 'root: Done.']] },
  },
  {
    name: 'before_tool_changes',
    says: 'runs a tool with the arguments before_tool left, and stores those the model gave (B27)',
    source: rootAgentFile(`agent('root', [says(calls('f', { n: 1, list: [1] })), says('Done.')], {
      tools: [tool('f', ({ n, list }) => ({ n, list }))],
      beforeToolCallback: ({ args, tool }) => { args.n = 41; args.list.push(2); if (tool.name !== 'f') throw new Error(); },
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: f({"n":1,"list":[1]})', 'root: f -> {"n":41,"list":[1,2]}', 'root: Done.']],
      asked: [['user: go'], ['user: go', 'model: f({"n":1,"list":[1]})', 'user: f -> {"n":41,"list":[1,2]}']],
    },
  },
  {
    name: 'after_tool_replaces',
    says: 'takes the answer of the first after_tool callback that has one (B27)',
    source: rootAgentFile(`agent('root', [says(calls('f')), says('Done.')], {
      tools: [tool('f', () => 'secret')],
      afterToolCallback: [
        ({ response, context }) => void context.state.set('seen', response.result),
        () => ({ result: 'redacted' }),
        () => ({ result: 'never' }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: f({})', 'root: f -> {"result":"redacted"} [state {"seen":"secret"}]', 'root: Done.']],
    },
  },
  {
    name: 'on_model_error_answers',
    says: 'goes on with what on_model_error answers, which after_model sees too (B23)',
    source: rootAgentFile(
      `agent('root', undefined, {
        model: new Broken({ model: 'broken' }),
        onModelErrorCallback: [() => undefined, ({ error }) => says('Sorry: ' + error.message)],
        afterModelCallback: ({ context }) => void context.state.set('after', true),
      })`,
      `
class Broken extends BaseLlm {
  async *generateContentAsync() {
    throw new RangeError('too far');
  }
}`,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: Sorry: too far [state {"after":true}]']] },
  },
  {
    name: 'on_tool_error_answers',
    says: 'gives the model what on_tool_error answers for a tool that throws, and for one that is not there (B27, B28)',
    source:
      rootAgentFile(`agent('root', [says(calls('bad'), calls('ghost'), calls('worse')), says('Done.')], {
      tools: [
        tool('bad', () => { throw new Error('broken'); }),
        tool('worse', () => { throw new Error('quite broken'); }),
      ],
      onToolErrorCallback: [
        ({ tool }) => (tool.name === 'ghost' ? { said: 'no such tool' } : undefined),
        ({ error }) => (error.message === 'broken' ? { said: error.message } : undefined),
      ],
      afterToolCallback: ({ response, tool }) => ({ ...response, after: tool.name }),
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: bad({}) + ghost({}) + worse({})',
          'root: bad -> {"said":"broken","after":"bad"} + ghost -> {"said":"no such tool","after":"ghost"} + worse -> {"after":"worse","error":"quite broken"}',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'callback_throws',
    says: 'fails the turn when a callback throws, answers its open call, and the session can go on (B23, B26)',
    source: rootAgentFile(`agent('root', [says(calls('f', {}, 'c1')), says('Better.')], {
      tools: [tool('f', () => 1)],
      beforeToolCallback: () => { throw new TypeError('no tool today'); },
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['failed TypeError: no tool today'], ['root: Better.']],
      stored: [
        'user: go',
        'root: f({})',
        'root: f -> {"error":"The run failed before this call was answered: no tool today"}',
        'root: [error TypeError]',
        'user: again',
        'root: Better.',
      ],
      asked: [
        ['user: go'],
        [
          'user: go',
          'model: f({})',
          'user: f -> {"error":"The run failed before this call was answered: no tool today"}',
          'user: again',
        ],
      ],
    },
  },
  {
    name: 'callback_artifacts',
    says: 'notes what a callback saves as an artifact on the event of the callback (B40, B60)',
    source: rootAgentFile(`agent('root', [says('Hello.')], {
      beforeAgentCallback: async (context) => void (await context.saveArtifact('log.txt', { text: 'begun' })),
      afterAgentCallback: async (context) => {
        const { text } = await context.loadArtifact('log.txt');
        await context.saveArtifact('log.txt', { text: text + ', ended' });
        return spoken((await context.listArtifacts()).join());
      },
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: [artifacts {"log.txt":0}]', 'root: Hello.', 'root: log.txt [artifacts {"log.txt":1}]']],
    },
  },
];
