import {
  type BaseSessionService,
  BaseLlm,
  DatabaseSessionService,
  FunctionTool,
  InMemorySessionService,
  LlmAgent,
  type LlmRequest,
  type LlmResponse,
  Runner,
} from '@google/adk';
import { z } from 'zod';
import type { Peer, StartPeer } from './peer';
import { add, assertAnswer, type Content, modelAnswers } from './script';

const APP = 'bench';
const USER = 'bench';

/** Its tool runs in its own process, as it has no other; its sessions lie in Postgres. */
export const startGoogleAdk: StartPeer = async ({ databaseUrl }) => {
  // The constructor's `connectionStringOrOptions`, by connection string, which leaves ten connections, as many as the
  // `pool: {min: 2, max: 10}` of adk-js's own example. With 16 and 32 it did fewer turns: 57 and 56 a second, not 66.
  const sessions = new DatabaseSessionService(databaseUrl);
  await sessions.init();
  // Makes the rows of app and user: two sessions that make them at a time fail on their keys.
  await sessions.createSession({ appName: APP, userId: USER, sessionId: 'first' });
  return peerOn(sessions);
};

/** As above with nothing stored: what its turn costs by itself. */
export const startGoogleAdkInMemory: StartPeer = async () => peerOn(new InMemorySessionService());

class ScriptedModel extends BaseLlm {
  constructor() {
    super({ model: 'scripted' });
  }

  override async *generateContentAsync({ contents }: LlmRequest): AsyncGenerator<LlmResponse, void> {
    // It is genai's type, whose parts may hold more than our script does.
    yield { content: modelAnswers(contents as Content[]) } as LlmResponse;
  }

  override connect(): never {
    throw new Error('a scripted model has no live connection');
  }
}

function peerOn(sessionService: BaseSessionService): Peer {
  const agent = new LlmAgent({
    name: 'bench',
    description: 'Adds two numbers with a tool.',
    model: new ScriptedModel(),
    tools: [
      new FunctionTool({
        name: 'add',
        description: 'Adds two numbers.',
        parameters: z.object({ a: z.number(), b: z.number() }),
        execute: add,
      }),
    ],
  });
  const runner = new Runner({ appName: APP, agent, sessionService });
  const known = new Set<string>();
  return {
    async turn(sessionId, text) {
      if (!known.has(sessionId)) {
        known.add(sessionId);
        await sessionService.createSession({ appName: APP, userId: USER, sessionId });
      }
      let last: string | undefined;
      const newMessage = { role: 'user', parts: [{ text }] };
      for await (const event of runner.runAsync({ userId: USER, sessionId, newMessage })) {
        last = event.content?.parts?.[0]?.text;
      }
      assertAnswer(last);
    },
    async stop() {
      // It has no way to close its connections; the process ends with them.
    },
  };
}
