import { resolve } from 'node:path';
import {
  type Event,
  getFunctionCalls,
  getFunctionResponses,
  InMemoryArtifactService,
  InMemorySessionService,
  Runner,
} from '@skein/adk';
import { collect } from '@skein/testing';
import { AgentLoader } from './agent-loader';

const agentsDir = resolve(__dirname, '../../../examples/agents');
const now = (): number => Date.UTC(2026, 10, 20, 12);

/** A conversation with one of the samples; each turn in a new session of the same user, if asked for. */
async function talkTo(appName: string) {
  const { rootAgent } = await new AgentLoader({ agentsDir }).load(appName);
  const sessionService = new InMemorySessionService(now);
  const artifactService = new InMemoryArtifactService();
  const runner = new Runner({
    appName,
    agent: rootAgent,
    sessionService,
    artifactService,
    autoCreateSession: true,
  });
  return {
    artifactService,
    say: async (text: string, sessionId = 's'): Promise<Event[]> => {
      const newMessage = { role: 'user', parts: [{ text }] };
      return collect(runner.runAsync({ userId: 'u', sessionId, newMessage }));
    },
  };
}

function textOf(events: readonly Event[]): string | undefined {
  return events.at(-1)?.content?.parts?.[0]?.text;
}

describe('quickstart', () => {
  it('asks for weather and time in one turn, then answers from both results', async () => {
    const { say } = await talkTo('quickstart');

    const events = await say('What is the weather and the time in Paris?');

    expect(events.map(getFunctionCalls).map((calls) => calls.map(({ name }) => name))).toEqual([
      ['get_weather', 'get_current_time'],
      [],
      [],
    ]);
    expect(textOf(events)).toMatch(
      /^The weather in Paris: .+ \(sample data\)\. In Paris it is .+ at \d\d:\d\d \(Europe\/Paris\)\.$/,
    );
  });

  it('says what it does not know', async () => {
    const { say } = await talkTo('quickstart');

    expect(textOf(await say('weather in Atlantis?'))).toMatch(
      /^I know nothing about "Atlantis"\. Cities I know: /,
    );
  });

  it('meets a greeting with a hint', async () => {
    const { say } = await talkTo('quickstart');

    expect(textOf(await say('hi there'))).toContain('What is the weather and the time in Paris?');
  });
});

describe('notes', () => {
  it('keeps a list in the session, a name for the user, and saves an artifact', async () => {
    const { say, artifactService } = await talkTo('notes');

    expect(textOf(await say('add buy milk, call Bob'))).toBe(
      'Noted: buy milk, call Bob. That makes 2 notes.',
    );
    expect(textOf(await say('call me Ada'))).toBe('Nice to meet you, Ada.');
    expect(textOf(await say('list'))).toBe('Ada, you have 2 notes: buy milk, call Bob.');
    expect(textOf(await say('list', 'another session'))).toBe('Ada, you have no notes.');
    const exported = await say('export');

    expect(textOf(exported)).toBe('Saved 2 notes as notes.md, version 0.');
    expect(exported.find((event) => getFunctionResponses(event).length > 0)?.actions.artifactDelta).toEqual({
      'notes.md': 0,
    });
    const saved = await artifactService.loadArtifact({
      appName: 'notes',
      userId: 'u',
      sessionId: 's',
      filename: 'notes.md',
    });
    expect(Buffer.from(saved?.inlineData?.data ?? '', 'base64').toString()).toBe(
      '# Notes of Ada\n\n- buy milk\n- call Bob\n',
    );
  });
});
