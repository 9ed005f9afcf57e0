import { setTimeout as pause } from 'node:timers/promises';
import { type Behaviour, geminiDialect, type Heard, ProviderServer } from '@skein/testing';

/** As slow as a quick model, so that a picture shows it. */
const THINKS_MS = 120;
const usage = { input: 61, output: 9 };

/** Gemini's API: its model calls the tool it is offered, and says a word once that has answered. */
export async function startHotelModel(): Promise<ProviderServer> {
  const server = await ProviderServer.start(geminiDialect, 'gemini-2.5-flash');
  server.otherwise = async (request) => {
    await pause(THINKS_MS);
    return answerTo(geminiDialect.hear(request));
  };
  return server;
}

function answerTo({ turns, tools }: Heard): Behaviour {
  const isAnswered = turns.some(({ parts }) => parts.some((part) => 'response' in part));
  const [tool] = tools;
  const part =
    isAnswered || tool === undefined
      ? { text: 'The Alte Post has a room.' }
      : { call: { name: tool, args: {} } };
  return { says: { parts: [part], usage } };
}
