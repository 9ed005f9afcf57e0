import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const TOLD = [{ say: 'my Color is blue' }, { addToMemory: true }, { newSession: {} }] as const;

/** What earlier sessions of a user hold. */
export const memoryCases: readonly ConformanceCase[] = [
  {
    name: 'load_memory',
    says: 'finds what was said in an earlier session by any word of a query (B61)',
    source:
      rootAgentFile(`agent('root', [says(calls('load_memory', { query: 'COLOR, please' })), says('Noted.')], {
      tools: [LOAD_MEMORY],
      afterToolCallback: ({ response }) => ({
        memories: response.memories.map(({ author, content, timestamp }) => [author, content.parts[0].text, typeof timestamp]),
      }),
    })`),
    steps: [...TOLD, { say: 'which color?' }],
    expect: {
      turns: [
        [
          'root: load_memory({"query":"COLOR, please"})',
          'root: load_memory -> {"memories":[]}',
          'root: Noted.',
        ],
        [
          'root: load_memory({"query":"COLOR, please"})',
          'root: load_memory -> {"memories":[["user","my Color is blue","string"]]}',
          'root: Noted.',
        ],
      ],
    },
  },
  {
    name: 'preload_memory',
    says: 'tells the model unasked what earlier sessions hold about the words of the user (B61)',
    source: rootAgentFile(`agent('root', [says('Noted.')], { tools: [PRELOAD_MEMORY] })`),
    steps: [...TOLD, { say: 'which color?' }, { say: 'good night' }],
    expect: {
      turns: [['root: Noted.'], ['root: Noted.'], ['root: [error SCRIPT_EXHAUSTED]']],
      instructions: [
        'You are an agent. Your internal name is "root".',
        'You are an agent. Your internal name is "root".\n\n' +
          'What follows was said in earlier conversations with this user, and may help with what he says now.\n' +
          '<PAST_CONVERSATIONS>\nTime: <moment>\nuser: my Color is blue\n</PAST_CONVERSATIONS>',
        'You are an agent. Your internal name is "root".',
      ],
    },
  },
  {
    name: 'search_memory',
    says: 'lets tools and callbacks search memory, of all sessions that were added, the oldest first (B61)',
    source: rootAgentFile(`agent('root', [says(calls('recall', { query: 'cat' })), says('A cat.')], {
      tools: [
        tool('recall', async ({ query }, context) => {
          const { memories } = await context.searchMemory(query);
          return memories.map(({ author, content }) => author + ': ' + content.parts.map(({ text }) => text).join());
        }),
      ],
      beforeAgentCallback: async (context) => {
        const { memories } = await context.searchMemory(context.userContent.parts[0].text);
        context.state.set('known', memories.length);
      },
    })`),
    steps: [
      { say: 'a cat' },
      { addToMemory: true },
      { newSession: {} },
      { say: 'the cat and the dog' },
      { addToMemory: true },
      { newSession: {} },
      { say: 'dog?' },
      { say: 'fish?' },
    ],
    expect: {
      turns: [
        [
          'root: [state {"known":0}]',
          'root: recall({"query":"cat"})',
          'root: recall -> {"result":[]}',
          'root: A cat.',
        ],
        [
          'root: [state {"known":2}]',
          'root: recall({"query":"cat"})',
          'root: recall -> {"result":["user: a cat","root: A cat."]}',
          'root: A cat.',
        ],
        [
          'root: [state {"known":1}]',
          'root: recall({"query":"cat"})',
          'root: recall -> {"result":["user: a cat","root: A cat.","user: the cat and the dog","root: A cat."]}',
          'root: A cat.',
        ],
        ['root: [state {"known":0}]', 'root: [error SCRIPT_EXHAUSTED]'],
      ],
    },
  },
  {
    name: 'memory_replaced',
    says: 'replaces what memory took of a session when it is added again (B61)',
    source: rootAgentFile(`agent('root', [says('Ok.'), says('Ok.')], {
      afterAgentCallback: async (context) => {
        const { memories } = await context.searchMemory('tea coffee');
        return spoken(memories.map(({ content }) => content.parts[0].text).join(' | ') || 'nothing');
      },
    })`),
    steps: [
      { say: 'I like tea' },
      { addToMemory: true },
      { addToMemory: true },
      { say: 'and coffee' },
      { addToMemory: true },
      { newSession: {} },
      { say: 'well?' },
    ],
    expect: {
      turns: [
        ['root: Ok.', 'root: nothing'],
        ['root: Ok.', 'root: I like tea'],
        ['root: Ok.', 'root: I like tea | and coffee | I like tea'],
      ],
    },
  },
];
