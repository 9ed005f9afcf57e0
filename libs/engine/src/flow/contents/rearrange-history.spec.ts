import { answers, aResponse, asks, inTime, says, transcript } from '@skein/testing';
import { buildContents } from './build-contents';
import { type ContentsView } from './contents-view';

const me: ContentsView = { agentName: 'me', includeContents: 'default' };

describe('responses in the history (B7)', () => {
  it('follow their call, and what was said while waiting comes after the pair', () => {
    const events = inTime(
      asks('me', ['a']),
      answers('me', { a: 'pending' }),
      says('me', 'Still processing'),
      answers('user', { a: 'done' }),
      says('me', 'It is done'),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual([
      'model: ?a',
      'user: !a=done',
      'model: Still processing',
      'model: It is done',
    ]);
  });

  it('of several events to one are merged', () => {
    const events = inTime(
      asks('me', ['a', 'b']),
      answers('me', { a: 1 }),
      says('user', 'hm'),
      answers('user', { b: 2 }),
      says('me', 'ok'),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['model: ?a | ?b', 'user: !a=1 | !b=2', 'user: hm', 'model: ok']);
  });

  it('of one event to several are parted, its text with the first', () => {
    const both = says('user', [aResponse('b', 2), { text: 'both done' }, aResponse('a', 1)]);
    const events = inTime(asks('me', ['a']), asks('me', ['b']), both, says('me', 'ok'));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual([
      'model: ?a',
      'user: !a=1',
      'model: ?b',
      'user: !b=2 | both done',
      'model: ok',
    ]);
  });

  it('keep the text that shows a result (B30)', () => {
    const shown = says('me', [aResponse('a', 1), { text: '{"result":1}' }]);
    const events = inTime(asks('me', ['a']), shown, says('user', 'thanks'));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['model: ?a', 'user: !a=1 | {"result":1}', 'user: thanks']);
  });

  it('stay with their own call when a later one reuses its id', () => {
    const events = inTime(
      asks('me', ['a']),
      answers('me', { a: 1 }),
      says('user', 'again'),
      asks('me', ['a']),
      answers('me', { a: 2 }),
      says('me', 'done'),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual([
      'model: ?a',
      'user: !a=1',
      'user: again',
      'model: ?a',
      'user: !a=2',
      'model: done',
    ]);
  });

  it('are dropped without a call, but what was said beside them is not', () => {
    const events = inTime(
      answers('me', { x: 1 }),
      says('user', [aResponse('y', 1), { text: 'anyway' }]),
      says('me', 'ok'),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['user: anyway', 'model: ok']);
  });

  it('that stand in one event with a call are set apart from it', () => {
    const mixed = says('me', [{ functionCall: { id: 'b', name: 'f_b' } }, aResponse('b', 1), { text: 'so' }]);
    const events = inTime(mixed, says('me', 'ok'));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['model: ?b | so', 'user: !b=1', 'model: ok']);
  });

  it('leave a call alone that has none', () => {
    const events = inTime(asks('me', ['a']), says('user', 'never mind'));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['model: ?a', 'user: never mind']);
  });
});
