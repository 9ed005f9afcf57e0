/** One agent, as its author writes it, and what its user says. */
export interface ConformanceCase {
  readonly says: string;
  readonly source: string;
  readonly turns: readonly string[];
}

const HEAD = `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const text = (said) => ({ content: { role: 'model', parts: [{ text: said }] } });
const calls = (...list) => ({
  content: { role: 'model', parts: list.map(([name, args = {}]) => ({ functionCall: { name, args } })) },
});
const tool = (name, execute, more = {}) => new FunctionTool({ name, description: 'Does ' + name + '.', execute, ...more });
const agent = (responses, more = {}) =>
  new LlmAgent({ name: 'root', description: 'A case.', model: new ScriptedLlm({ responses }), ...more });
`;

function source(rootAgent: string): string {
  return `${HEAD}\nexport const rootAgent = ${rootAgent};\n`;
}

/** By app name. Each is run in one process and over all services, and has to look the same. */
export const cases: Readonly<Record<string, ConformanceCase>> = {
  answer: { says: 'answers', source: source(`agent([text('Hello.'), text('Again.')])`), turns: ['hi', 'hi'] },
  one_tool: {
    says: 'has one tool called',
    source: source(
      `agent([calls(['f', { n: 1 }]), text('Done.')], { tools: [tool('f', ({ n }) => ({ n: n + 1 }))] })`,
    ),
    turns: ['go'],
  },
  parallel: {
    says: 'has calls of one turn answered in call order, their actions merged (B26, B31)',
    source: source(`agent([calls(['f'], ['g'], ['f']), text('Done.')], {
      tools: [
        tool('f', (_args, { state }) => { state.set('f', true); return 'f'; }),
        tool('g', (_args, { state }) => { state.set('user:g', 1); return ['g']; }),
      ],
    })`),
    turns: ['go'],
  },
  scopes: {
    says: 'carries state from turn to turn by scope, and temp: no further than its turn (B56, B57)',
    source: source(`agent([calls(['note']), text('One.'), calls(['note']), text('Two.')], {
      instruction: 'Seen: {count?} {user:count?} {temp:scratch?}.',
      tools: [tool('note', (_args, { state }) => {
        const before = { count: state.get('count', 0), user: state.get('user:count', 0), temp: state.get('temp:scratch') };
        state.set('count', before.count + 1);
        state.set('user:count', before.user + 1);
        state.set('temp:scratch', 'x');
        return before;
      })],
    })`),
    turns: ['first', 'second'],
  },
  failing: {
    says: 'reads the error of a tool that throws, of one it made up, and of missing arguments (B28, B32)',
    source: source(`agent([calls(['bad'], ['ghost'], ['picky']), text('I see.')], {
      tools: [
        tool('bad', () => { throw new Error('broken'); }),
        tool('picky', () => 'fine', { parameters: z.object({ x: z.string() }) }),
      ],
    })`),
    turns: ['go'],
  },
  long_running: {
    says: 'stops after a long-running call without a result (B29)',
    source: source(
      `agent([calls(['wait']), text('Next.')], { tools: [tool('wait', () => undefined, { isLongRunning: true })] })`,
    ),
    turns: ['go', 'go on'],
  },
  callbacks: {
    says: 'has its callbacks called around model and tool (B21, B27, B40)',
    source: source(`agent([calls(['f', { n: 1 }]), text('Done.')], {
      tools: [tool('f', ({ n }) => n, { parameters: z.object({ n: z.number() }) })],
      beforeAgentCallback: ({ state }) => void state.set('began', true),
      beforeModelCallback: ({ context, request }) =>
        context.state.get('began') && request.contents.length > 8 ? text('Skipped.') : undefined,
      afterModelCallback: ({ response, context }) => void context.state.set('answers', response.content.parts.length),
      beforeToolCallback: ({ args }) => void (args.n = 41),
      afterToolCallback: ({ response }) => ({ ...response, after: true }),
      afterAgentCallback: () => ({ role: 'model', parts: [{ text: 'Bye.' }] }),
    })`),
    turns: ['go'],
  },
  shown: {
    says: 'shows a result that is not summarised (B30)',
    source: source(`agent([calls(['f']), text('Never said.')], {
      tools: [tool('f', (_args, { actions }) => { actions.skipSummarization = true; return 'as it is'; })],
    })`),
    turns: ['go'],
  },
  exhausted: {
    says: 'tells that its script ran out',
    source: source(`agent([text('Only once.')])`),
    turns: ['hi', 'hi'],
  },
  throwing: {
    says: 'stores the error of a model that throws, and goes on in the next turn (B23)',
    source: source(`agent([text('Never.')], {
      beforeModelCallback: ({ request }) => {
        if (request.contents.length === 1) throw new RangeError('too far');
      },
    })`),
    turns: ['hi', 'hi again'],
  },
};
