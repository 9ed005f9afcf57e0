import { type Event } from '@skein/contracts';
import { asks, FakeLlm, inTime, says, summary, text, transcript } from '@skein/testing';
import fc from 'fast-check';
import { createEvent } from '../event/create-event';
import { isBranchVisible } from '../flow/contents/branch-visibility';
import { buildContents } from '../flow/contents/build-contents';
import {
  BaseEventsSummarizer,
  type EventsSummary,
  type SummarizeEventsRequest,
} from './base-events-summarizer';
import { compactEvents, type CompactEventsRequest, type CompactionPolicy } from './compact-events';
import { type EventsCompactionConfig } from './events-compaction-config';

const { signal } = new AbortController();
const window: EventsCompactionConfig = { compactionInterval: 1, overlapSize: 0 };

/** Lists what it was given, so that a test sees what a summary stands for. */
class ListingSummarizer extends BaseEventsSummarizer {
  readonly requests: SummarizeEventsRequest[] = [];

  override async maybeSummarizeEvents(request: SummarizeEventsRequest): Promise<EventsSummary> {
    this.requests.push(request);
    const words = request.events.flatMap(({ content }) => content?.parts?.[0]?.text ?? []);
    return { compactedContent: { role: 'model', parts: [{ text: words.join(',') }] } };
  }
}

function compact(
  events: readonly Event[],
  more: Partial<CompactEventsRequest> = {},
  policy: CompactionPolicy = 'sliding-window',
) {
  return compactEvents(policy, {
    config: { ...window, summarizer: new ListingSummarizer() },
    events,
    signal,
    ...more,
  });
}

describe('compactEvents', () => {
  const events = inTime(says('user', 'a'), says('me', 'b'));

  it('makes what an event needs to stand for the events that are due (B8)', async () => {
    const params = await compact(events);

    expect(params).toEqual({
      author: 'user',
      actions: {
        compaction: {
          startTimestamp: 1,
          endTimestamp: 2,
          compactedContent: { role: 'model', parts: [{ text: 'a,b' }] },
        },
      },
    });
  });

  it('asks the model where the config names no summarizer, and notes what that cost', async () => {
    const usageMetadata = { promptTokenCount: 3 };
    const model = new FakeLlm([[{ ...text('They met.'), usageMetadata }]]);

    const params = await compact(events, { config: window, model });

    expect(params).toMatchObject({
      actions: { compaction: { compactedContent: { role: 'model', parts: [{ text: 'They met.' }] } } },
      usageMetadata,
    });
  });

  it('needs somebody to write the summary', async () => {
    await expect(compact(events, { config: window })).rejects.toMatchObject({
      code: 'compaction.no-summarizer',
    });
  });

  it('does nothing when nothing is due, when there is nothing to say, or when writing failed', async () => {
    const silent = new FakeLlm([[{}]]);
    const failing = new FakeLlm([new Error('down')]);

    expect(await compact([])).toBeUndefined();
    expect(await compact(events, { config: window, model: silent })).toBeUndefined();
    expect(await compact(events, { config: window, model: failing })).toBeUndefined();
  });

  it('takes a summary no event can hold for none', async () => {
    const summarizer = new ListingSummarizer();
    const bad = { compactedContent: 'a text' } as unknown as EventsSummary;
    jest.spyOn(summarizer, 'maybeSummarizeEvents').mockResolvedValue(bad);

    expect(await compact(events, { config: { ...window, summarizer } })).toBeUndefined();
  });

  it('ends with the run when that is aborted', async () => {
    const aborted = AbortSignal.abort(new Error('stop'));
    const failing = new FakeLlm([new Error('down')]);

    const compacting = compact(events, { config: window, model: failing, signal: aborted });

    await expect(compacting).rejects.toThrow('stop');
  });

  it('counts the summaries there are, for scripted summarizers', async () => {
    const summarizer = new ListingSummarizer();
    const logged = [
      ...events,
      summary('s', [1, 2]),
      says('user', 'c', { timestamp: 9, invocationId: 'e-2' }),
    ];

    await compact(logged, { config: { ...window, summarizer } });

    expect(summarizer.requests[0]).toMatchObject({ ordinal: 1, signal });
  });

  it('of a branch or a scope tells only of what is visible there (B2, B3)', async () => {
    const logged = inTime(
      says('user', 'all'),
      says('me', 'mine', { branch: 'p.a' }),
      says('you', 'yours', { branch: 'p.b' }),
      says('me', 'task', { isolationScope: 'call-1' }),
    );
    const words = async (more: Partial<CompactEventsRequest>) =>
      (await compact(logged, more))?.actions.compaction.compactedContent.parts?.[0]?.text;

    expect(await words({ branch: 'p.a' })).toBe('all,mine');
    expect(await words({})).toBe('all,mine,yours');
    expect(await words({ isolationScope: 'call-1' })).toBe('task');
    expect(await compact(logged, { isolationScope: 'call-1' })).toMatchObject({ isolationScope: 'call-1' });
  });

  it('loses no word of any log for any view, whatever the clocks, the branches, the policies and the pending calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anAct, { maxLength: 20 }), aConfig, aBranch, async (acts, config, branch) => {
        const logged = await logOf(acts, config);

        const contents = buildContents(logged, { agentName: 'me', includeContents: 'default', branch });

        const told = transcript(contents).join('\n');
        const said = logged.filter(
          (event) => event.author === 'user' && event.content && isBranchVisible(event.branch, branch),
        );
        for (const { content } of said) expect(told).toContain(content?.parts?.[0]?.text ?? '');
      }),
      { numRuns: 500 },
    );
  });
});

/** One thing that happens to a session: somebody says or asks something, or a compaction comes round. */
interface Act {
  readonly kind: 'says' | 'asks' | CompactionPolicy;
  readonly timestamp: number;
  readonly invocationId: string;
  readonly branch: string | undefined;
}

const aBranch = fc.constantFrom(undefined, undefined, 'p', 'p.a', 'p.b', 'p.a.x');
const anAct: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('says', 'says', 'says', 'asks', 'sliding-window', 'token-threshold'),
  timestamp: fc.integer({ min: 1, max: 6 }),
  invocationId: fc.constantFrom('e-1', 'e-2', 'e-3'),
  branch: aBranch,
});
const aConfig = fc.record({
  compactionInterval: fc.integer({ min: 1, max: 3 }),
  overlapSize: fc.nat(2),
  tokenThreshold: fc.constant(1),
  eventRetentionSize: fc.nat(3),
});

async function logOf(acts: readonly Act[], config: EventsCompactionConfig): Promise<Event[]> {
  const logged: Event[] = [];
  for (const [index, { kind, timestamp, invocationId, branch }] of acts.entries()) {
    const place = { timestamp, invocationId, ...(branch ? { branch } : {}) };
    if (kind === 'says') logged.push(says('user', `<${index}>`, place));
    else if (kind === 'asks') logged.push(asks('me', [`call ${index}`], place));
    else {
      const withSummarizer = { ...config, summarizer: new ListingSummarizer() };
      const params = await compact(logged, { config: withSummarizer, branch }, kind);
      if (params) logged.push(createEvent({ ...place, ...params, id: `compaction ${index}` }));
    }
  }
  return logged;
}
