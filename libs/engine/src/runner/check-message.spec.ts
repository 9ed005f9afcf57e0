import { type Content, type Part } from '@skein/contracts';
import { checkMessage } from './check-message';

const response: Part = { functionResponse: { id: 'c1', name: 'ask', response: { ok: true } } };

const decision = (confirmed: boolean): Part => ({
  functionResponse: { id: 'q1', name: 'adk_request_confirmation', response: { confirmed } },
});

describe('a message of the user (B46)', () => {
  it('gets the role user when it names none, and keeps its own otherwise (B46)', () => {
    expect(checkMessage({ parts: [{ text: 'hi' }] })).toEqual({ role: 'user', parts: [{ text: 'hi' }] });
    expect(checkMessage({ role: 'other', parts: [{ text: 'hi' }] }).role).toBe('other');
  });

  it('is not changed itself (B46)', () => {
    const message: Content = { parts: [{ text: 'hi' }] };

    checkMessage(message);

    expect(message).toEqual({ parts: [{ text: 'hi' }] });
  });

  it.each<[string, Content]>([
    ['message.empty', {}],
    ['message.empty', { role: 'user', parts: [] }],
    ['message.function-call', { parts: [{ functionCall: { name: 'f', args: {} } }] }],
    ['message.function-call', { parts: [response, { functionCall: { id: 'c2', name: 'f' } }] }],
    ['message.mixed', { parts: [response, { text: 'and this' }] }],
    ['message.mixed', { parts: [{ text: 'first this' }, response] }],
    ['message.response-without-id', { parts: [{ functionResponse: { name: 'f', response: {} } }] }],
    ['message.response-without-id', { parts: [response, { functionResponse: { id: '', name: 'f' } }] }],
    ['message.answered-twice', { parts: [decision(false), decision(true)] }],
    ['message.too-many-responses', { parts: Array<Part>(257).fill(response) }],
  ])('is refused as %s (B46)', (code, message) => {
    expect(() => checkMessage(message)).toThrow(expect.objectContaining({ kind: 'invalid', code }));
  });

  it('says why answers and words do not go together (B46)', () => {
    expect(() => checkMessage({ parts: [response, { text: 'hi' }] })).toThrow(
      /^Message cannot contain both function responses and text\./,
    );
  });

  it('may hold several pieces of news of one long-running call (B46)', () => {
    expect(checkMessage({ parts: [response, response] }).parts).toHaveLength(2);
  });

  it('may hold answers beside an empty text, and words beside media (B46)', () => {
    expect(checkMessage({ parts: [{ text: '' }, response] }).parts).toHaveLength(2);
    expect(
      checkMessage({ parts: [{ text: 'see' }, { inlineData: { data: 'AA==', mimeType: 'image/png' } }] })
        .parts,
    ).toHaveLength(2);
  });
});
