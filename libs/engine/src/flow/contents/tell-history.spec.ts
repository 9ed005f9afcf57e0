import { AdkError, type Content, type Event } from '@skein/contracts';
import { anEvent, answers, asks, inTime, says } from '@skein/testing';
import fc from 'fast-check';
import { buildContents } from './build-contents';
import { type ContentsView } from './contents-view';
import { tellHistory } from './tell-history';

const me: ContentsView = { agentName: 'me', includeContents: 'default' };
const views: readonly ContentsView[] = [
  me,
  { ...me, branch: 'p.me' },
  { ...me, agentName: 'other', includeThoughtsFromOtherAgents: true },
  { ...me, includeContents: 'none' },
];

const anId = fc.constantFrom('a', 'b', 'c');
const anAuthor = fc.constantFrom('user', 'me', 'me', 'other');
const aSaying: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(anAuthor, fc.string()).map(([author, text]) => says(author, text)) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('me', 'other'), fc.array(anId, { minLength: 1, maxLength: 3 }))
      .map(([author, ids]) =>
        asks(
          author,
          ids.map((id) => ({ id, name: 'f' })),
        ),
      ),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('me', 'user'), fc.uniqueArray(anId, { minLength: 1 }), fc.nat(9))
      .map(([author, ids, result]) => answers(author, Object.fromEntries(ids.map((id) => [id, result])))),
  },
  { weight: 2, arbitrary: fc.constant(says('me', [{ text: 'hm', thought: true }])) },
  {
    weight: 1,
    arbitrary: fc.constant(anEvent({ author: 'user', actions: { rewindBeforeInvocationId: 'e-1' } })),
  },
  {
    weight: 1,
    arbitrary: fc.nat(20).map((endTimestamp) => {
      const compactedContent = { role: 'model', parts: [{ text: 'summary' }] };
      return anEvent({
        author: 'user',
        actions: { compaction: { startTimestamp: 0, endTimestamp, compactedContent } },
      });
    }),
  },
);
const aPlaced = fc
  .tuple(aSaying, fc.constantFrom(undefined, undefined, 'p', 'p.me'), fc.constantFrom('e-1', 'e-2'))
  .map(([event, branch, invocationId]): Event => ({ ...event, ...(branch ? { branch } : {}), invocationId }));
const aLog = fc.array(aPlaced, { maxLength: 30 }).map((events) => inTime(...events));

function outcomeOf(tell: () => readonly Content[]): readonly Content[] | string {
  try {
    return tell();
  } catch (error) {
    return AdkError.from(error).code;
  }
}

/** An event that counts how often somebody asks what it says. */
function watched(event: Event, onRead: () => void): Event {
  return new Proxy(event, {
    get(target, field, receiver): unknown {
      if (field === 'content') onRead();
      return Reflect.get(target, field, receiver);
    },
  });
}

describe('a history that is told again and again', () => {
  it('is told as if it were read from its beginning, however the log grew (B1-B11)', () => {
    fc.assert(
      fc.property(aLog, fc.func(fc.nat(4)), (log, isAsked) => {
        const events: Event[] = [];
        for (const event of log) {
          events.push(event);
          if (isAsked(events.length) === 0) continue;
          for (const view of views) {
            expect(outcomeOf(() => tellHistory(events, view))).toEqual(
              outcomeOf(() => buildContents(events, view)),
            );
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is told anew where something came in between, or the log was cut', () => {
    fc.assert(
      fc.property(aLog, aPlaced, fc.nat(), (log, late, at) => {
        const events = [...log];
        outcomeOf(() => tellHistory(events, me));

        events.splice(at % (log.length + 1), 0, late);
        const inserted = outcomeOf(() => tellHistory(events, me));
        expect(inserted).toEqual(outcomeOf(() => buildContents(events, me)));

        events.splice(at % (log.length + 1));
        expect(outcomeOf(() => tellHistory(events, me))).toEqual(outcomeOf(() => buildContents(events, me)));
      }),
    );
  });

  it('costs what is new: of the events before it none is looked at again', () => {
    let reads = 0;
    const old = inTime(
      ...Array.from({ length: 500 }, (_none, n) => says(n % 2 ? 'me' : 'user', `text ${n}`)),
    );
    const events = old.map((event) => watched(event, () => reads++));
    tellHistory(events, me);
    events.push(asks('me', [{ id: 'a', name: 'f' }]), answers('me', { a: 1 }));
    reads = 0;

    const contents = tellHistory(events, me);

    expect(contents).toHaveLength(502);
    expect(reads).toBe(0);
  });
});
