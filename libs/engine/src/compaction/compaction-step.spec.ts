import { type Content } from '@skein/contracts';
import { aSession, FakeLlm, RecordingJournal, runTurn, text, transcript } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { SequentialAgent } from '../agent/sequential-agent';
import { type EventsCompactionConfig } from './events-compaction-config';
import { LlmEventSummarizer } from './llm-event-summarizer';

function anApp(config: Partial<EventsCompactionConfig>) {
  const model = new FakeLlm([[text('one')], [text('two')], [text('three')]]);
  const summaries = new FakeLlm([[text('so far')], [text('and on')]]);
  const summarizer = new LlmEventSummarizer({ llm: summaries, promptTemplate: '{conversation_history}' });
  const rootAgent = new LlmAgent({ name: 'root', model });
  const eventsCompactionConfig = { compactionInterval: 99, overlapSize: 0, summarizer, ...config };
  return { app: { rootAgent, eventsCompactionConfig }, model, summaries };
}

function toldTo({ requests }: FakeLlm): string[][] {
  return requests.map(({ contents }: { contents: Content[] }) => transcript(contents));
}

/** A clock whose every look is a second later. */
function ticking(from: number): () => number {
  let now = from;
  return () => (now += 1000);
}

describe('compaction', () => {
  it('after a run stands for it in the next one (B8, B52)', async () => {
    const { app, model, summaries } = anApp({ compactionInterval: 1 });
    const session = aSession();

    await runTurn(app, { session, said: 'hi', now: ticking(0), invocationId: 'e-1' });
    await runTurn(app, { session, said: 'more', now: ticking(1e6), invocationId: 'e-2' });

    expect(toldTo(summaries)[0]).toEqual(['user: [user] said: hi\n\n[root] said: one']);
    expect(toldTo(model)[1]).toEqual(['model: so far', 'user: more']);
    expect(session.events.filter(({ actions }) => actions.compaction)).toHaveLength(2);
  });

  it('before a model call makes room in that very call (B8)', async () => {
    const { app, model } = anApp({ tokenThreshold: 5, eventRetentionSize: 1 });
    const session = aSession();

    await runTurn(app, { session, said: 'hi', now: ticking(0), invocationId: 'e-1' });
    await runTurn(app, { session, said: 'x'.repeat(20), now: ticking(1e6), invocationId: 'e-2' });

    expect(toldTo(model)[1]).toEqual(['model: so far', `user: ${'x'.repeat(20)}`]);
  });

  it('is not written again when the run is repeated from what was stored', async () => {
    const { app, summaries } = anApp({ compactionInterval: 1 });
    const journal = new RecordingJournal();
    const first = await runTurn(app, { journal });

    const again = await runTurn(app, { journal: journal.cutAfter(journal.staged.length) });

    expect(summaries.requests).toHaveLength(1);
    expect(again.session.events).toEqual(first.session.events);
    expect(journal.stepKeys.at(-1)).toMatch(/compaction\.0$/);
  });

  it('is not written in the middle of what is stored, though it is due there by now', async () => {
    const session = aSession();
    const { app } = anApp({ compactionInterval: 99 });
    await runTurn(app, { session, said: 'hi', now: ticking(0), invocationId: 'e-1' });
    const second = { said: 'x'.repeat(20), now: ticking(1e6), invocationId: 'e-2' };
    const before = structuredClone(session);
    const { journal } = await runTurn(app, { ...second, session });
    const changed = anApp({ tokenThreshold: 5, eventRetentionSize: 1 });

    const again = await runTurn(changed.app, {
      ...second,
      session: before,
      journal: journal.cutAfter(journal.staged.length),
    });

    expect(changed.model.requests).toEqual([]);
    const order = again.journal.staged.map(({ event }) => event.id);
    const own = again.session.events.filter(({ invocationId }) => invocationId === 'e-2');
    expect(own.map(({ id }) => id)).toEqual(order);
    expect(order.slice(0, 2)).toEqual(journal.staged.map(({ event }) => event.id));
  });

  it('does not happen after a run that failed (B52)', async () => {
    const { app, summaries } = anApp({ compactionInterval: 1 });
    const failing = new LlmAgent({ name: 'root', model: new FakeLlm([new Error('down')]) });

    await runTurn({ ...app, rootAgent: failing });

    expect(summaries.requests).toEqual([]);
  });

  it('is written by the first model there is where no summarizer is named', async () => {
    const model = new FakeLlm([[text('one')]]);
    const rootAgent = new SequentialAgent({
      name: 'root',
      subAgents: [new LlmAgent({ name: 'child', model })],
    });

    const { session } = await runTurn({
      rootAgent,
      eventsCompactionConfig: { compactionInterval: 1, overlapSize: 0 },
    });

    expect(model.requests).toHaveLength(2);
    expect(session.events.at(-1)).toMatchObject({
      author: 'user',
      actions: { compaction: { compactedContent: { parts: [{ text: 'one' }] } } },
    });
  });
});
