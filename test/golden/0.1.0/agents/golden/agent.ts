import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AgentTool,
  App,
  BaseLlm,
  BasePlugin,
  createEvent,
  CustomAgent,
  type Event,
  FunctionTool,
  LlmAgent,
  type LlmResponse,
  LOAD_MEMORY,
  LongRunningFunctionTool,
  type Part,
  ScriptedLlm,
  SequentialAgent,
  type ToolContext,
} from '@skein/adk';
import { z } from 'zod';

const says = (...parts: readonly (string | Part)[]) => ({
  content: { role: 'model', parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)) },
});
const calls = (name: string, args: Record<string, unknown> = {}): Part => ({ functionCall: { name, args } });

const look = new FunctionTool({
  name: 'look',
  description: 'Looks something up.',
  execute: () => 'A to Z',
});

const expert = new LlmAgent({
  name: 'expert',
  model: new ScriptedLlm({ responses: [says(calls('look')), says('Ada')] }),
  tools: [look],
});

/** State of every scope, and an artifact. */
const keep = new FunctionTool({
  name: 'keep',
  description: 'Keeps a title.',
  parameters: z.object({ title: z.string() }),
  execute: async ({ title }, context: ToolContext) => {
    for (const scope of ['', 'user:', 'app:', 'temp:']) context.state.set(`${scope}title`, title);
    const version = await context.saveArtifact('title.txt', { text: title });
    const { memories } = await context.searchMemory('Ada');
    const kept = await context.loadArtifact('title.txt');
    return {
      version,
      names: await context.listArtifacts(),
      text: kept?.text,
      remembers: memories.length > 0,
    };
  },
});

const weak = new CustomAgent({
  name: 'weak',
  run: () => {
    throw new TypeError('down');
  },
});

/** Goes on from a failure, and from steps that leave no event. */
const careful = new CustomAgent({
  name: 'careful',
  subAgents: [weak],
  async *run(context) {
    const drawn = await context.step('draw', () => 7);
    try {
      yield* weak.runAsync(context);
    } catch {
      yield createEvent({
        id: '',
        invocationId: '',
        timestamp: 0,
        author: 'careful',
        content: { role: 'model', parts: [{ text: `Without it, with ${String(drawn)}.` }] },
      });
    }
  },
});

/** Two calls side by side: one that is answered, one that is held while the file HOLD_FILE exists. */
const quick = new FunctionTool({
  name: 'quick',
  description: 'Is quick.',
  // Waits for its turn in the database.
  maxConcurrency: 4,
  rateLimit: { calls: 100, perMs: 1_000 },
  execute: (_args: unknown, context: ToolContext) => {
    context.progress({ share: 0.5 });
    return { quick: true };
  },
});
const held = new FunctionTool({
  name: 'held',
  description: 'Is held.',
  execute: async (_args: unknown, context: ToolContext) => {
    while (existsSync(process.env.HOLD_FILE ?? '')) await pause(20, undefined, { signal: context.signal });
    return { held: true };
  },
});
const broken = new FunctionTool({
  name: 'broken',
  description: 'Throws.',
  // Leaves a dead letter.
  retry: { maxAttempts: 2, backoffMs: 1 },
  execute: () => {
    throw new TypeError('no tool today');
  },
});
const once = new FunctionTool({
  name: 'once',
  description: 'May run once.',
  sideEffect: 'once',
  execute: () => ({ paid: true }),
});
const ask = new LongRunningFunctionTool({
  name: 'ask',
  description: 'Asks a human.',
  execute: () => ({ ticket: 4 }),
});

/** Two whole answers to one request. */
class TwoAnswers extends BaseLlm {
  override async *generateContentAsync(): AsyncGenerator<LlmResponse> {
    yield says('One thing.');
    yield says('Another.');
  }
}

class Polishing extends BasePlugin {
  override async onEventCallback({ event }: { event: Event }): Promise<Event | undefined> {
    const isDraft = event.content?.parts?.some(({ text }) => text === 'A draft.');
    return isDraft
      ? { ...event, content: { role: 'model', parts: [{ text: 'A polished draft.' }] } }
      : undefined;
  }
}

/** A run that leaves every kind of stored thing behind, and then stands still. */
export const app = new App({
  name: 'golden',
  plugins: [new Polishing('polishing')],
  resumabilityConfig: { isResumable: true },
  rootAgent: new SequentialAgent({
    name: 'flow',
    subAgents: [
      new LlmAgent({
        name: 'writer',
        beforeAgentCallback: () => undefined,
        beforeToolCallback: ({ tool, args }) => {
          if (tool.name === 'keep') args.title = `${String(args.title)} Lovelace`;
          return undefined;
        },
        model: new ScriptedLlm({
          responses: [
            says(calls('expert', { request: 'a title' })),
            says(calls('keep', { title: 'Ada' })),
            says(calls('load_memory', { query: 'Ada' }), calls('once')),
            says('A draft.'),
          ],
        }),
        tools: [new AgentTool({ agent: expert }), keep, once, LOAD_MEMORY],
      }),
      new LlmAgent({ name: 'twice', model: new TwoAnswers({ model: 'two-answers' }) }),
      careful,
      new LlmAgent({
        name: 'last',
        model: new ScriptedLlm({
          responses: [
            says(calls('quick'), calls('broken'), calls('held')),
            says(calls('ask')),
            says('Done.'),
          ],
        }),
        tools: [quick, broken, held, ask],
      }),
    ],
  }),
});
