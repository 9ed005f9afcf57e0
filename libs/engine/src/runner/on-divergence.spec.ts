import { type Event } from '@skein/contracts';
import { calls, FakeLlm, type RecordingJournal, runTurn, text, type Turn } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { SequentialAgent } from '../agent/sequential-agent';
import { App } from '../app/app';
import { getFunctionResponses } from '../event/function-parts';
import { FunctionTool } from '../tool/function-tool';

const REPLAY_DIVERGED = 'REPLAY_DIVERGED';

/** Has a tool called, then says what it was; `name` is what the code changed. */
function anApp(
  name: string,
  onDivergence?: 'fail' | 'continue',
): { app: App; model: FakeLlm; ran: string[] } {
  const ran: string[] = [];
  const model = new FakeLlm([
    [calls({ id: 'c1', name: 'look' })],
    [calls({ id: 'c2', name: 'look' })],
    [text('after')],
  ]);
  const look = new FunctionTool({ name: 'look', description: '', execute: () => ran.push('look') });
  const asking = new LlmAgent({ name, model, tools: [look] });
  const rootAgent = new SequentialAgent({ name: 'root', subAgents: [asking] });
  return { app: new App({ name: 'app', rootAgent, onDivergence }), model, ran };
}

describe('onDivergence', () => {
  it('fail: what is stored stays, open calls are answered, and the next message is served', async () => {
    const before = await runTurn(anApp('asker').app);
    const changed = anApp('other');

    // The message and the call.
    const failed = await runTurn(changed.app, { journal: before.journal.cutAfter(2) });

    expect(failed.error).toMatchObject({ code: REPLAY_DIVERGED });
    expect(failed.session.events).toMatchObject([
      { author: 'user' },
      { author: 'asker', content: { parts: [{ functionCall: { id: 'c1' } }] } },
      { content: { parts: [{ functionResponse: { id: 'c1' } }] } },
      { errorCode: REPLAY_DIVERGED },
    ]);
    const next = await runTurn(changed.app, { session: failed.session, invocationId: nextId, said: 'again' });
    expect([next.error, textsOf(next.events).at(-1)]).toEqual([undefined, 'after']);
  });

  it('continue: goes on from what is stored, the message said once, wherever it crashes again', async () => {
    const before = await runTurn(anApp('asker').app);
    const cut = () => before.journal.cutAfter(2);
    const { app } = anApp('other', 'continue');

    const whole = await runTurn(app, { journal: cut() });

    expect(whole.error).toBeUndefined();
    expect(whole.session.events.map(({ author }) => author)).toEqual([
      'user',
      'asker',
      'asker',
      ...Array<string>(5).fill('other'),
    ]);
    expect(textsOf(whole.session.events).at(-1)).toBe('after');
    expect(new Set(whole.session.events.map(({ id }) => id)).size).toBe(8);
    for (const journal of whole.journal.cuts().slice(2)) {
      const again = anApp('other', 'continue');
      const asked = 3 - modelAnswers(journal);
      const resumed = await runTurn(again.app, { journal });
      expect(shapesOf(resumed)).toEqual(shapesOf(whole));
      expect(again.model.requests).toHaveLength(asked);
    }
  });

  it('continue: also when the code is changed twice', async () => {
    const before = await runTurn(anApp('asker').app);
    const second = await runTurn(anApp('other', 'continue').app, { journal: before.journal.cutAfter(2) });
    const third = anApp('third', 'continue');

    const whole = await runTurn(third.app, { journal: second.journal.cutAfter(4, 9) });

    expect(whole.error).toBeUndefined();
    expect(whole.session.events.map(({ author }) => author)).toEqual([
      'user',
      ...['asker', 'asker', 'other', 'other'],
      ...Array<string>(5).fill('third'),
    ]);
    for (const journal of whole.journal.cuts().slice(5)) {
      const resumed = await runTurn(anApp('third', 'continue').app, { journal });
      expect(shapesOf(resumed)).toEqual(shapesOf(whole));
    }
  });
});

/** What the log says, without what a tool counted. */
function shapesOf({ session }: Turn): unknown[] {
  return session.events.map((event) => [
    event.id,
    event.author,
    ...getFunctionResponses(event).map(({ id }) => id),
  ]);
}

const nextId = 'e-0198c0de-0000-7000-8000-000000000002';

function modelAnswers(journal: RecordingJournal): number {
  return journal.staged.filter(({ stepKey }) => /other\.0\/model\.\d$/.test(stepKey)).length;
}

function textsOf(events: readonly Event[]): (string | undefined)[] {
  return events.map(({ content }) => content?.parts?.[0]?.text);
}
