import { answers, aResponse, asks, inTime, says, transcript } from '@skein/testing';
import { buildContents } from './build-contents';
import { type ContentsView } from './contents-view';

const me: ContentsView = { agentName: 'me', includeContents: 'default' };

describe('the latest response (B6)', () => {
  it('is read as if it had come at once: what was said while waiting is dropped', () => {
    const events = inTime(
      says('user', 'start'),
      asks('me', ['a']),
      answers('me', { a: 'pending' }),
      says('me', 'working on it'),
      says('user', 'and?'),
      answers('user', { a: 'done' }),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['user: start', 'model: ?a', 'user: !a=done']);
  });

  it('is merged with the responses to the other calls: the order of the first, the latest of each', () => {
    const events = inTime(
      asks('me', ['a', 'b', 'c']),
      answers('me', { b: 'pending', a: 1 }),
      says('me', 'wait'),
      answers('user', { c: 3 }),
      answers('user', { b: 2 }),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['model: ?a | ?b | ?c', 'user: !b=2 | !a=1 | !c=3']);
  });

  it('keeps responses to earlier calls that came in between', () => {
    const events = inTime(
      asks('me', ['a']),
      asks('me', ['b']),
      answers('user', { a: 1 }),
      says('user', 'and b?'),
      answers('user', { b: 2 }),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['model: ?a', 'user: !a=1', 'model: ?b', 'user: !b=2']);
  });

  it('directly after its call changes nothing', () => {
    const events = inTime(says('user', 'go'), asks('me', ['a']), answers('me', { a: 1 }));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['user: go', 'model: ?a', 'user: !a=1']);
  });

  it('goes to the earlier call although a later one, long answered, had the same id', () => {
    const events = inTime(
      asks('me', ['a']),
      says('user', 'something else'),
      asks('me', ['a']),
      answers('me', { a: 'other' }),
      answers('user', { a: 'late' }),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['model: ?a', 'user: !a=late']);
  });

  it('hides nothing when it is the one a cancelled run gives to a call nobody waits for', () => {
    const closed = { ...answers('me', { a: 'cancelled' }), customMetadata: { 'skein.closedCalls': true } };
    const events = inTime(asks('me', ['a']), says('user', 'something else'), closed);

    const contents = buildContents(events, me);
    const turn = buildContents(events, { ...me, includeContents: 'none' });

    expect(transcript(contents)).toEqual(['model: ?a', 'user: !a=cancelled', 'user: something else']);
    expect(transcript(turn)).toEqual(['user: something else']);
  });

  it('may not answer calls of two events', () => {
    const both = says('user', [aResponse('a', 1), aResponse('b', 2)]);
    const events = inTime(asks('me', ['a']), asks('me', ['b']), says('me', 'wait'), both);

    expect(() => buildContents(events, me)).toThrow(
      expect.objectContaining({ code: 'contents.mixed-responses', kind: 'invalid' }),
    );
  });

  it('needs a call', () => {
    const events = inTime(says('user', 'hi'), answers('user', { a: 1 }));

    expect(() => buildContents(events, me)).toThrow(
      expect.objectContaining({
        code: 'contents.call-not-found',
        message: 'No function call event found for function responses ids: {a}.',
      }),
    );
  });
});
