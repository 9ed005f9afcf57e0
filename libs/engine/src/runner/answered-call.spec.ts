import { type Content } from '@skein/contracts';
import { anEvent } from '@skein/testing';
import { answeredCallEvent } from './answered-call';

function calling(invocationId: string, ...ids: string[]) {
  const parts = ids.map((id) => ({ functionCall: { id, name: 'f' } }));
  return anEvent({ invocationId, content: { role: 'model', parts } });
}

const otherCall = { functionCall: { id: 'a', name: 'g' } };

function answering(...ids: string[]): Content {
  return { role: 'user', parts: ids.map((id) => ({ functionResponse: { id, name: 'f', response: {} } })) };
}

describe('the invocation a function response belongs to (B47)', () => {
  const events = [calling('e-1', 'a', 'b'), calling('e-2', 'c'), calling('e-3', 'a')];

  it('is that of the latest call with its id', () => {
    expect(answeredCallEvent(answering('c'), events)?.invocationId).toBe('e-2');
    expect(answeredCallEvent(answering('a'), events)?.invocationId).toBe('e-3');
  });

  it('is none for a message that answers nothing', () => {
    expect(answeredCallEvent({ role: 'user', parts: [{ text: 'hi' }] }, events)).toBeUndefined();
    expect(answeredCallEvent(undefined, events)).toBeUndefined();
  });

  it('has to be one that is there', () => {
    expect(() => answeredCallEvent(answering('x'), events)).toThrow(
      'Function call not found for function response ids: x',
    );
  });

  it('is not that of a call of the same id and another name (B47)', () => {
    const twice = [calling('e-1', 'a'), anEvent({ invocationId: 'e-2', content: { parts: [otherCall] } })];

    expect(answeredCallEvent(answering('a'), twice)?.invocationId).toBe('e-1');
    expect(() => answeredCallEvent(answering('a'), twice.slice(1))).toThrow(
      expect.objectContaining({ code: 'message.unmatched-response' }),
    );
  });

  it('is not one that was taken back (B1)', () => {
    const rewound = [...events, anEvent({ actions: { rewindBeforeInvocationId: 'e-2' } })];

    expect(answeredCallEvent(answering('a'), rewound)?.invocationId).toBe('e-1');
    expect(() => answeredCallEvent(answering('c'), rewound)).toThrow(
      expect.objectContaining({ code: 'message.unmatched-response' }),
    );
  });

  it('has to be one', () => {
    expect(() => answeredCallEvent(answering('b', 'c'), events)).toThrow(
      expect.objectContaining({ code: 'message.ambiguous-responses' }),
    );
  });
});
