import { resolve } from 'node:path';
import {
  type Content,
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
  const { rootAgent } = await new AgentLoader({ agentsDir, cacheDir: process.env.AGENTS_CACHE_DIR }).load(
    appName,
  );
  const sessionService = new InMemorySessionService(now);
  const artifactService = new InMemoryArtifactService();
  const runner = new Runner({
    appName,
    agent: rootAgent,
    sessionService,
    artifactService,
    autoCreateSession: true,
  });
  const send = (newMessage: Content, sessionId = 's'): Promise<Event[]> =>
    collect(runner.runAsync({ userId: 'u', sessionId, newMessage }));
  return {
    artifactService,
    say: (text: string, sessionId?: string) => send({ role: 'user', parts: [{ text }] }, sessionId),
    /** Answers the call that stands open at the end of these events. */
    answer: (asked: readonly Event[], response: Record<string, unknown>) => {
      const open = asked.findLast(({ longRunningToolIds }) => longRunningToolIds?.length);
      const [call] = open ? getFunctionCalls(open) : [];
      return send({
        role: 'user',
        parts: [{ functionResponse: { id: call?.id ?? '', name: call?.name ?? '', response } }],
      });
    },
    state: async () =>
      (await sessionService.getSession({ appName, userId: 'u', sessionId: 's' }))?.state ?? {},
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

describe('approvals', () => {
  it('pays small sums at once, and large ones when the user allows it (B33)', async () => {
    const { say, answer, state } = await talkTo('approvals');

    expect(textOf(await say('pay Ann 40'))).toBe('Paid 40 € to Ann; that makes 40 € in this session.');
    const asked = await say('pay Ann 500');
    const allowed = await answer(asked, { confirmed: true });
    const refused = await answer(await say('pay Ann 900'), { confirmed: false });

    expect(asked.flatMap(getFunctionCalls).map(({ name }) => name)).toEqual([
      'pay',
      'adk_request_confirmation',
    ]);
    expect(textOf(allowed)).toBe('Paid 500 € to Ann; that makes 540 € in this session.');
    expect(textOf(refused)).toBe('Nothing was paid: This tool call is rejected.');
    expect(await state()).toEqual({ spent: 540 });
  });

  it('waits for the manager, and for a choice (B29)', async () => {
    const { say, answer } = await talkTo('approvals');

    const asked = await say('ask my manager for Friday off');
    const answered = await answer(asked, { result: 'granted' });
    const chosen = await answer(await say('lunch'), { result: 'soup' });

    expect(asked).toHaveLength(1);
    expect(textOf(answered)).toBe('Your manager answered: granted');
    expect(textOf(chosen)).toBe('Ordered: soup.');
  });
});

describe('team', () => {
  it('hands over to a specialist, who goes on, and hands back (B37, B49)', async () => {
    const { say } = await talkTo('team');

    const first = await say('what do I owe?');
    const second = await say('and the bill for two?');
    const back = await say('translate good morning into Italian');

    expect(first.map(({ author }) => author)).toEqual(['desk', 'desk', 'cashier']);
    expect(second.map(({ author }) => author)).toEqual(['cashier']);
    expect(back.map(({ author }) => author)).toEqual(['cashier', 'cashier', 'desk', 'desk', 'desk']);
    expect(textOf(back)).toBe('That is "buongiorno".');
  });

  it('plans a trip: research side by side, then drafts until the critic is content (B42-B44)', async () => {
    const { say, state } = await talkTo('team');

    const events = await say('plan a day in Rome');

    expect(events.map(({ author }) => author).slice(2)).toEqual([
      'sights',
      'food',
      'writer',
      'critic',
      'writer',
      'critic',
      'critic',
    ]);
    expect(await state()).toEqual({
      sight: 'the Pantheon',
      dish: 'carbonara',
      plan: 'In the morning the Pantheon, at noon carbonara.',
      critique: 'When is what?',
    });
  });
});
