import { answers, asks, inTime, says, summary, transcript } from '@skein/testing';
import { buildContents } from './build-contents';
import { type ContentsView } from './contents-view';

const me: ContentsView = { agentName: 'me', includeContents: 'none' };

describe('an agent without history (B10)', () => {
  it("sees the user's latest message and the calls and responses since, not nothing", () => {
    const events = inTime(
      says('user', 'before'),
      says('me', 'answered'),
      says('user', 'now'),
      asks('me', ['a']),
      answers('me', { a: 1 }),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['user: now', 'model: ?a', 'user: !a=1']);
  });

  it("begins at another agent's word when that came later", () => {
    const events = inTime(says('user', 'now'), says('other', 'over to you'), says('me', 'thanks'));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['user: For context: | [other] said: over to you', 'model: thanks']);
  });

  it('does not begin at an event of another branch', () => {
    const events = inTime(
      says('user', 'now', { branch: 'p' }),
      says('brother', 'mine', { branch: 'p.a' }),
      says('cousin', 'not mine', { branch: 'p.b' }),
    );

    const contents = buildContents(events, { ...me, branch: 'p.a' });

    expect(transcript(contents)).toEqual(['user: For context: | [brother] said: mine']);
  });

  it('does not begin at the hand-over itself, which it sees', () => {
    const transfer = { id: 't', name: 'transfer_to_agent', args: { agentName: 'me' } };
    const events = inTime(
      says('user', 'before'),
      says('user', 'now'),
      asks('other', [transfer]),
      answers('other', { t: null }, { actions: { transferToAgent: 'me' } }),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents).slice(0, 2)).toEqual([
      'user: now',
      'user: For context: | [other] called tool `transfer_to_agent` with parameters: {"agentName":"me"}',
    ]);
    expect(contents).toHaveLength(3);
  });

  it('goes on with the turn of the call that the user answers', () => {
    const events = inTime(
      says('user', 'before'),
      says('user', 'start'),
      asks('me', ['a']),
      says('me', 'wait'),
      says('user', 'and?'),
      answers('user', { a: 1 }),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['user: start', 'model: ?a', 'user: !a=1']);
  });

  it('sees a summary when its turn began in there, else none', () => {
    const inSummary = [...inTime(says('user', 'now'), says('me', 'yes')), summary('s', [1, 2])];
    const after = says('user', 'next', { timestamp: 9 });

    expect(transcript(buildContents(inSummary, me))).toEqual(['model: s']);
    expect(transcript(buildContents([...inSummary, after], me))).toEqual(['user: next']);
  });

  it('sees nothing where nobody spoke to it', () => {
    expect(buildContents([says('me', 'alone')], me)).toEqual([]);
  });
});
