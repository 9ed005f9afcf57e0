import { type Content } from '@skein/contracts';
import { aResponse, transcript } from '@skein/testing';
import { insertBeforeLastUserMessage } from './insert-before-last-user-message';

const user = (text: string): Content => ({ role: 'user', parts: [{ text }] });
const call: Content = { role: 'model', parts: [{ functionCall: { id: 'a', name: 'f' } }] };
const response: Content = { role: 'user', parts: [aResponse('a', 1)] };
const told: Content = { role: 'user', parts: [{ text: 'For context:' }, { text: '[b] said: x' }] };

describe('insertBeforeLastUserMessage (B12)', () => {
  it('puts what only this run knows before what the user said last', () => {
    const inserted = insertBeforeLastUserMessage([user('1'), user('2')], [user('!'), user('!!')]);

    expect(transcript(inserted)).toEqual(['user: 1', 'user: !', 'user: !!', 'user: 2']);
  });

  it('takes neither responses nor news of other agents for a message', () => {
    const inserted = insertBeforeLastUserMessage([user('1'), call, response, told], [user('!')]);

    expect(transcript(inserted).slice(0, 3)).toEqual(['user: !', 'user: 1', 'model: ?a']);
  });

  it('puts it first where the user said nothing', () => {
    expect(transcript(insertBeforeLastUserMessage([call, response], [user('!')]))[0]).toBe('user: !');
  });
});
