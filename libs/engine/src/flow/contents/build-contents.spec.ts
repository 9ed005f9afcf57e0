import { type Event } from '@skein/contracts';
import { answers, asks, inTime, says, summary, transcript } from '@skein/testing';
import { buildContents } from './build-contents';
import { type ContentsView } from './contents-view';

const me: ContentsView = { agentName: 'me', includeContents: 'default' };

describe('buildContents', () => {
  it('does not merge contents of one role in a row (B11)', () => {
    const events = inTime(says('user', 'one'), says('user', 'two'), says('me', 'three'), says('me', 'four'));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['user: one', 'user: two', 'model: three', 'model: four']);
  });

  it('keeps the ids of calls and responses, which adapters take off (B9)', () => {
    const events = inTime(asks('me', ['adk-1']), answers('me', { 'adk-1': 1 }));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['model: ?adk-1', 'user: !adk-1=1']);
  });

  it('gives a content the role of its author where it has none', () => {
    const withoutRole = (author: string) => ({ ...says(author, 'hi'), content: { parts: [{ text: 'hi' }] } });

    const contents = buildContents([withoutRole('user'), withoutRole('me')], me);

    expect(transcript(contents)).toEqual(['user: hi', 'model: hi']);
  });

  it('forgets what was taken back, and with it a summary of it (B1, B8)', () => {
    const events = inTime(
      says('user', 'kept', { invocationId: 'a' }),
      says('user', 'regretted', { invocationId: 'b' }),
      summary('kept and regretted', [1, 2], { invocationId: 'b' }),
      { ...says('user', [], { invocationId: 'r', actions: { rewindBeforeInvocationId: 'b' } }) },
      says('user', 'better', { invocationId: 'c' }),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['user: kept', 'user: better']);
  });

  describe('for a task agent (B13)', () => {
    const task = asks('boss', [{ id: 'task-1', name: 'me', args: { city: '北京' } }]);
    const scoped = (author: string, text: string): Event => says(author, text, { isolationScope: 'task-1' });

    it('begins with the arguments of the call it works on, then shows its own scope alone', () => {
      const events = inTime(says('user', 'hi'), task, scoped('me', 'Which district?'), scoped('user', 'All'));

      const contents = buildContents(events, { ...me, isolationScope: 'task-1' });

      expect(transcript(contents)).toEqual(['user: {"city":"北京"}', 'model: Which district?', 'user: All']);
    });

    it('takes the latest call when ids repeat', () => {
      const again = asks('boss', [{ id: 'task-1', name: 'me', args: { city: 'Rome' } }]);

      const contents = buildContents(inTime(task, again), { ...me, isolationScope: 'task-1' });

      expect(transcript(contents)).toEqual(['user: {"city":"Rome"}']);
    });

    it('begins with its own words where there are no arguments', () => {
      const events = inTime(asks('boss', ['task-1']), scoped('me', 'Here'));

      const contents = buildContents(events, { ...me, isolationScope: 'task-1' });

      expect(transcript(contents)).toEqual(['model: Here']);
    });
  });
});
