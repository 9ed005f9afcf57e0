import { type Content, type Event, type FunctionCall, type FunctionResponse } from '@skein/contracts';
import { answers, asks, inTime, says } from '@skein/testing';
import fc from 'fast-check';
import { z } from 'zod';
import { buildContents } from './build-contents';
import { type ContentsView } from './contents-view';

const me: ContentsView = { agentName: 'me', includeContents: 'default' };

/** What one event is to be. Ids are few, so that they repeat. */
type Draft =
  | { readonly kind: 'text'; readonly author: string }
  | { readonly kind: 'calls'; readonly author: string; readonly ids: readonly string[] }
  | { readonly kind: 'response'; readonly id: string };

const anId = fc.constantFrom('a', 'b', 'c');
const aDraft: fc.Arbitrary<Draft> = fc.oneof(
  fc.record({ kind: fc.constant('text'), author: fc.constantFrom('user', 'me', 'other') }),
  fc.record({
    kind: fc.constant('calls'),
    author: fc.constantFrom('me', 'me', 'other'),
    ids: fc.array(anId, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('response'), id: anId }),
);
const aLog = fc.array(aDraft, { maxLength: 25 }).map((drafts) => inTime(...drafts.map(asEvent)));

/** The number makes each text, call and response one of its kind. */
function asEvent(draft: Draft, number: number): Event {
  switch (draft.kind) {
    case 'text':
      return says(draft.author, `text ${number}.`);
    case 'calls':
      return asks(
        draft.author,
        draft.ids.map((id, index) => ({ id, name: 'f', args: { serial: `${number}/${index}` } })),
      );
    case 'response':
      return answers('me', { [draft.id]: number });
  }
}

/** A call as the rule says it is answered; found by looking back from each response, call by call. */
interface Asked {
  readonly at: number;
  readonly id: string | undefined;
  readonly author: string;
  readonly serial: string;
  latest?: number | undefined;
}

function askedIn(events: readonly Event[]): Asked[] {
  const asked: Asked[] = [];
  events.forEach((event, at) => {
    for (const { functionCall, functionResponse } of event.content?.parts ?? []) {
      if (functionCall) {
        asked.push({ at, id: functionCall.id, author: event.author, serial: serialOf(functionCall) });
      }
      if (!functionResponse) continue;
      const sameId = asked.filter(({ id }) => id === functionResponse.id);
      const open = sameId.filter(({ latest }) => latest === undefined);
      const nearest = open.find((call) => call.at === open.at(-1)?.at) ?? sameId.at(-1);
      if (nearest) nearest.latest = resultOf(functionResponse);
    }
  });
  return asked;
}

/** The call that the last event answers, when it is a response; `none` when there is no such call. */
function latestAnswered(events: readonly Event[]): Asked | 'none' | undefined {
  const response = events.at(-1)?.content?.parts?.[0]?.functionResponse;
  if (!response) return undefined;
  const result = resultOf(response);
  return askedIn(events).find(({ latest }) => latest === result) ?? 'none';
}

/** Up to which event the model is told: to the end, or to the call of the agent's that a late response answers (B6). */
function lengthTold(events: readonly Event[]): number {
  const answered = latestAnswered(events);
  if (answered === undefined || answered === 'none' || answered.author !== 'me') return events.length;
  return answered.at === events.length - 2 ? events.length : answered.at + 1;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

function serialsOf(content: Content | undefined): string[] {
  return (content?.parts ?? []).flatMap(({ functionCall }) => (functionCall ? serialOf(functionCall) : []));
}

function resultsOf(content: Content | undefined): number[] {
  return (content?.parts ?? []).flatMap(({ functionResponse }) =>
    functionResponse ? resultOf(functionResponse) : [],
  );
}

function serialOf({ args }: FunctionCall): string {
  return z.string().parse(args?.serial);
}

function resultOf({ response }: FunctionResponse): number {
  return z.number().parse(response?.result);
}

const tellable = aLog.filter((events) => latestAnswered(events) !== 'none');

describe('contents of any log', () => {
  it('have the responses of each call, the latest alone, directly after it, and no others (B6, B7)', () => {
    fc.assert(
      fc.property(tellable, (events) => {
        const contents = buildContents(events, me);

        const asked = askedIn(events);
        contents.forEach((content, index) => {
          const results = asked.filter(({ serial }) => serialsOf(content).includes(serial));
          const expected = results.flatMap(({ latest }) => latest ?? []);
          if (serialsOf(content).length > 0) {
            expect([...resultsOf(contents[index + 1])].sort()).toEqual([...expected].sort());
          }
          if (resultsOf(content).length > 0) expect(serialsOf(contents[index - 1])).not.toEqual([]);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('lose no call and no word, and keep their order (B6, B7)', () => {
    fc.assert(
      fc.property(tellable, (events) => {
        const contents = buildContents(events, me);

        const told = events.slice(0, lengthTold(events));
        const said = told.flatMap(({ content }) => content?.parts?.[0]?.text ?? []);
        const ownCalls = told
          .filter(({ author }) => author === 'me')
          .flatMap(({ content }) => serialsOf(content));
        const texts = contents
          .flatMap(({ parts = [] }) => parts.flatMap(({ text }) => text ?? []))
          .join('\n');
        expect(texts.match(/text \d+\./g) ?? []).toEqual(said);
        expect(contents.flatMap(serialsOf)).toEqual(ownCalls);
      }),
      { numRuns: 500 },
    );
  });

  it('tell of every call of another agent and of every response to it (B4, B5)', () => {
    fc.assert(
      fc.property(tellable, (events) => {
        fc.pre(lengthTold(events) === events.length);

        const contents = buildContents(events, me);

        const texts = JSON.stringify(contents);
        for (const { author, serial, latest } of askedIn(events)) {
          if (author === 'me') continue;
          expect(texts).toContain(`{\\"serial\\":\\"${serial}\\"}`);
          if (latest !== undefined) expect(texts).toContain(`{\\"result\\":${latest}}`);
        }
      }),
    );
  });

  it('leave the stored events untouched (B9)', () => {
    fc.assert(
      fc.property(tellable, (events) => {
        deepFreeze(events);

        expect(() => buildContents(events, me)).not.toThrow();
      }),
    );
  });

  it('are refused when the latest response has no call (B6)', () => {
    fc.assert(
      fc.property(aLog, (events) => {
        const logged = inTime(...events, answers('user', { nobody: 1 }));

        expect(() => buildContents(logged, me)).toThrow(
          expect.objectContaining({ code: 'contents.call-not-found' }),
        );
      }),
    );
  });
});
