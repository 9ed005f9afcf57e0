import { type Event } from '@skein/contracts';
import { anEvent, says } from '@skein/testing';
import { applyRewinds } from './apply-rewinds';

function said(invocationId: string, text = invocationId): Event {
  return says('user', text, { invocationId });
}

function rewind(invocationId: string, before: string): Event {
  return anEvent({ author: 'user', invocationId, actions: { rewindBeforeInvocationId: before } });
}

function textsOf(events: readonly Event[]): (string | undefined)[] {
  return events.map(({ content }) => content?.parts?.[0]?.text);
}

describe('applyRewinds (B1)', () => {
  it('drops everything from the first event of the named invocation up to the marker', () => {
    const events = [said('a'), said('b'), said('b', 'b again'), said('c'), rewind('r', 'b'), said('d')];

    const kept = applyRewinds(events);

    expect(textsOf(kept)).toEqual(['a', 'd']);
  });

  it('drops an invocation from its beginning when it went on later', () => {
    const events = [said('a'), said('b'), said('c'), said('b', 'b goes on'), rewind('r', 'b')];

    const kept = applyRewinds(events);

    expect(textsOf(kept)).toEqual(['a']);
  });

  it('lets a later rewind take an earlier one back, with what that one had dropped', () => {
    const events = [said('a'), said('b'), rewind('r1', 'a'), said('c'), rewind('r2', 'r1'), said('d')];

    const kept = applyRewinds(events);

    expect(textsOf(kept)).toEqual(['a', 'b', 'd']);
  });

  it('drops no more than the marker when it names nothing that came before', () => {
    const events = [said('a'), rewind('r', 'b'), said('b')];

    const kept = applyRewinds(events);

    expect(textsOf(kept)).toEqual(['a', 'b']);
  });

  it('gives events without a rewind back as they are', () => {
    const events = [said('a')];

    expect(applyRewinds(events)).toBe(events);
  });
});
