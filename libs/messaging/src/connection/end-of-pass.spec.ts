import { setImmediate as nextPass } from 'node:timers/promises';
import { atEndOfPass } from './end-of-pass';

describe('the end of a pass of the event loop', () => {
  it('has what goes to NATS leave before answers, whoever came first, and each once', async () => {
    const left: string[] = [];

    atEndOfPass(() => left.push('answer'), 'behind');
    atEndOfPass(() => left.push('call'), 'first');
    atEndOfPass(() => left.push('event'), 'first');
    await Promise.resolve();
    expect(left).toEqual([]);
    await nextPass();
    await nextPass();

    expect(left).toEqual(['call', 'event', 'answer']);
  });

  it('leaves what comes while it ends to the next', async () => {
    const left: string[] = [];
    atEndOfPass(() => {
      left.push('first');
      atEndOfPass(() => left.push('later'), 'first');
    }, 'first');

    await nextPass();
    const then = [...left];
    await nextPass();

    expect(then).toEqual(['first']);
    expect(left).toEqual(['first', 'later']);
  });
});
