import type { OpenCall } from './open-calls';
import { questionOf } from './question-of';

function call(name: string, args: OpenCall['args'] = {}): OpenCall {
  return { eventId: 'e1', author: 'bank', id: 'c1', name, args };
}

describe('questionOf', () => {
  describe('a confirmation', () => {
    const question = questionOf(
      call('adk_request_confirmation', {
        originalFunctionCall: { id: 'c0', name: 'pay', args: { amount: 500 } },
        toolConfirmation: { hint: 'A large sum.', confirmed: false, payload: { limit: 100 } },
      }),
    );

    it('shows the call, the hint and what came with it', () => {
      expect(question.lines).toEqual([
        '? pay({"amount":500}) wants to run',
        '  A large sum.',
        '  {"limit":100}',
      ]);
      expect(question.prompt).toBe('approve? [y/n] ');
    });

    it.each([
      ['y', { confirmed: true }],
      [' YES ', { confirmed: true }],
      ['n', { confirmed: false }],
      ['what does it cost?', undefined],
    ])('reads %j', (line, answer) => {
      expect(question.read(line)).toEqual(answer);
    });
  });

  describe('a credential', () => {
    const authConfig = {
      authScheme: { type: 'oauth2' },
      credentialKey: 'k',
      rawAuthCredential: { authType: 'oauth2', oauth2: { authUri: 'https://x/consent' } },
    };
    const question = questionOf(call('adk_request_credential', { functionCallId: 'c0', authConfig }));

    it('says what is asked for and where consent is given', () => {
      expect(question.lines).toEqual([
        '? bank needs a credential: {"type":"oauth2"}',
        '  consent is given at https://x/consent',
      ]);
    });

    it('takes a credential as JSON, an API key, or a whole answer, and gives the config back with it', () => {
      const exchangedAuthCredential = { authType: 'http' };

      expect(question.read('{"authType":"http"}')).toEqual({ ...authConfig, exchangedAuthCredential });
      expect(question.read('{"exchangedAuthCredential":{"authType":"http"}}')).toEqual({
        ...authConfig,
        exchangedAuthCredential,
      });
      expect(question.read(' key-1 ')).toEqual({
        ...authConfig,
        exchangedAuthCredential: { authType: 'apiKey', apiKey: 'key-1' },
      });
    });
  });

  describe('a choice', () => {
    const question = questionOf(call('get_user_choice', { options: ['tea', 'coffee'] }));

    it('numbers the options', () => {
      expect(question.lines).toEqual(['? choose one', '  1. tea', '  2. coffee']);
    });

    it.each([
      ['2', { result: 'coffee' }],
      ['tea', { result: 'tea' }],
      ['3', undefined],
      ['0', undefined],
      ['neither', undefined],
    ])('reads %j', (line, answer) => {
      expect(question.read(line)).toEqual(answer);
    });
  });

  it('takes a JSON object or a text as the answer to any other call', () => {
    const question = questionOf(call('ask_boss', { about: 'leave' }));

    expect(question.lines).toEqual(['? ask_boss({"about":"leave"}) waits for an answer']);
    expect(question.read('{"ok":true}')).toEqual({ ok: true });
    expect(question.read('[1]')).toEqual({ result: '[1]' });
    expect(question.read('fine ')).toEqual({ result: 'fine' });
  });
});
