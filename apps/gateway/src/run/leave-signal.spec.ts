import { LeaveController } from './leave-signal';

describe('LeaveController', () => {
  it('calls who listens once, and throws its first reason from then on', () => {
    const left = new LeaveController();
    const heard: string[] = [];
    const forgotten = (): unknown => heard.push('forgotten');
    left.addEventListener('abort', () => heard.push('told'));
    left.addEventListener('abort', forgotten);
    left.removeEventListener('abort', forgotten);
    left.throwIfAborted();

    left.abort(new Error('first'));
    left.abort(new Error('second'));

    expect([heard, left.aborted]).toEqual([['told'], true]);
    expect(() => left.throwIfAborted()).toThrow('first');
  });
});
