import { randomBytes } from 'node:crypto';
import { type Event, eventSchema } from '@skein/contracts';
import { createSession, readEventPage, readSession } from '@skein/session-store';
import fc from 'fast-check';
import { type QueryResult } from 'pg';
import { aKey, anEvent, aUnit, startRun, useStore } from './session-store-harness';

const store = useStore();

/** What is left of text at the choke point before the store: well-formed and without NUL. */
const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''));
const json = fc
  .jsonValue({ maxDepth: 4, stringUnit: 'grapheme' })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown);
const object = fc.dictionary(text, json, { maxKeys: 4 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const anyEvent: fc.Arbitrary<Event> = fc
  .record({
    id: fc.uuid(),
    timestamp: fc.oneof(fc.double({ min: 0, max: 4e9, noNaN: true }), fc.integer({ min: 0, max: 4e9 })),
    author: text,
    actions: fc.record({
      stateDelta: object.map((delta) =>
        Object.fromEntries(Object.entries(delta).filter(([key]) => !key.startsWith('temp:'))),
      ),
      artifactDelta: fc.dictionary(text, fc.nat(), { maxKeys: 2 }),
      requestedAuthConfigs: object,
      requestedToolConfirmations: object,
      escalate: maybe(fc.boolean()),
      newerAction: maybe(json),
    }),
    branch: maybe(text),
    content: maybe(fc.record({ role: text, parts: fc.array(fc.record({ text }), { maxLength: 3 }) })),
    longRunningToolIds: maybe(fc.array(text, { maxLength: 3 })),
    turnComplete: maybe(fc.boolean()),
    partial: maybe(fc.constant(false)),
    errorCode: maybe(text),
    errorMessage: maybe(text),
    interrupted: maybe(fc.boolean()),
    customMetadata: maybe(object),
    usageMetadata: maybe(fc.record({ totalTokenCount: fc.nat() })),
    groundingMetadata: maybe(object),
    citationMetadata: maybe(object),
    modelVersion: maybe(text),
    finishReason: maybe(text),
    newerField: maybe(json),
  })
  // As it arrives: over JSON, which knows no undefined and no -0.
  .map((event) =>
    eventSchema.parse({ invocationId: 'e-0', ...(JSON.parse(JSON.stringify(event)) as object) }),
  );

describe('stored events', () => {
  it('are equal to what was appended, for any event', async () => {
    const run = await startRun(store.pool, aKey());
    let appendNo = 0;
    let afterSeq = 0;

    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 5 }), async (events) => {
        const unit = aUnit(run, ++appendNo, { has: events });
        const { lastSeq } = await store.batcher.append(unit);
        const page = await readEventPage(store.pool, { ...run, afterSeq });
        afterSeq = lastSeq;
        expect(page.events.map(({ event }) => event)).toEqual(unit.events.map(({ event }) => event));
      }),
      { numRuns: 150 },
    );
  });

  it('keep the invocation they name, also where it is not the one that stores them', async () => {
    const run = await startRun(store.pool, aKey());
    const [own, foreign] = [
      anEvent({ invocationId: run.invocationId }),
      anEvent({ invocationId: 'e-other' }),
    ];
    const events = [own, foreign].map((event, index) => ({ stepKey: `0/root.0/event.${index}`, event }));

    await store.batcher.append({ ...aUnit(run, 1), events });

    const page = await readEventPage(store.pool, { ...run, afterSeq: 0 });
    expect(page.events.map(({ event }) => event)).toEqual([own, foreign]);
  });

  it('come in pages of at most 512 KiB, each at least one event', async () => {
    const run = await startRun(store.pool, aKey());
    const large = (kib: number) =>
      anEvent({ content: { role: 'model', parts: [{ text: 'x'.repeat(kib * 1024) }] } });
    await store.batcher.append(
      aUnit(run, 1, { has: [large(200), large(200), large(200), large(900), large(10)] }),
    );

    const seqs: number[][] = [];
    for (let afterSeq = 0; afterSeq < 5; afterSeq = seqs.at(-1)?.at(-1) ?? 5) {
      const page = await readEventPage(store.pool, { ...run, afterSeq });
      seqs.push(page.events.map(({ seq }) => seq));
    }

    expect(seqs).toEqual([[1, 2], [3], [4], [5]]);
  });

  it('are not fetched for a page that has no room for them', async () => {
    const run = await startRun(store.pool, aKey());
    const large = () =>
      anEvent({
        content: { role: 'model', parts: [{ text: randomBytes(300 * 1024).toString('base64') }] },
      });
    await store.batcher.append(aUnit(run, 1, { has: Array.from({ length: 20 }, large) }));
    const asked = jest.spyOn(store.pool, 'query');

    await readEventPage(store.pool, { ...run, afterSeq: 0 });

    const answers = await Promise.all(asked.mock.results.map(({ value }) => value as Promise<QueryResult>));
    asked.mockRestore();
    expect(answers.map(({ rowCount }) => rowCount)).toEqual([1, 2]);
  });

  it('given at creation are stored with dense seq and their deltas folded', async () => {
    const key = aKey({ userId: 'imported' });
    const withDelta = anEvent({
      timestamp: 5,
      actions: { ...anEvent().actions, stateDelta: { n: 2, 'user:u': 1, 'temp:t': 1 } },
    });

    const created = await createSession(store.pool, {
      ...key,
      state: { n: 1, m: 1 },
      events: [anEvent({ timestamp: 1 }), withDelta],
    });

    expect(created.state).toEqual({ n: 2, m: 1, 'user:u': 1 });
    const page = await readEventPage(store.pool, { ...key, afterSeq: 0 });
    expect(page).toMatchObject({ lastSeq: 2, events: [{ seq: 1 }, { seq: 2 }] });
  });

  it('are filtered by number, time and place', async () => {
    const key = aKey();
    await createSession(store.pool, {
      ...key,
      events: [1, 2, 3, 4].map((timestamp) => anEvent({ timestamp })),
    });
    const times = async (filter: object) =>
      (await readSession(store.pool, { ...key, ...filter }))?.events.map(({ timestamp }) => timestamp);

    expect(await times({})).toEqual([1, 2, 3, 4]);
    expect(await times({ numRecentEvents: 2 })).toEqual([3, 4]);
    expect(await times({ numRecentEvents: 0 })).toEqual([]);
    expect(await times({ afterTimestamp: 3 })).toEqual([3, 4]);
    expect(await times({ afterSeq: 1, numRecentEvents: 5 })).toEqual([2, 3, 4]);
  });
});
