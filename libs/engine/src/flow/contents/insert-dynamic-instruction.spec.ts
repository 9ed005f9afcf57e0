import { type Content } from '@skein/contracts';
import { aResponse, transcript } from '@skein/testing';
import { insertDynamicInstruction } from './insert-dynamic-instruction';

const user = (text: string): Content => ({ role: 'user', parts: [{ text }] });
const model = (text: string): Content => ({ role: 'model', parts: [{ text }] });
const response: Content = { role: 'user', parts: [aResponse('a', 1)] };

describe('insertDynamicInstruction (B12)', () => {
  it.each<[string, Content[], string[]]>([
    [
      "before the user's last contents in a row",
      [user('1'), model('2'), user('3'), user('4')],
      ['1', '2', '!', '3', '4'],
    ],
    ['after the model when it spoke last', [user('1'), model('2')], ['1', '2', '!']],
    ['first when only the user spoke', [user('1'), user('2')], ['!', '1', '2']],
    ['alone where there is nothing', [], ['!']],
  ])('stands %s', (_where, contents, expected) => {
    const inserted = insertDynamicInstruction(contents, [user('!')]);

    expect(inserted.map(({ parts }) => parts?.[0]?.text)).toEqual(expected);
  });

  it('stands after a function response, so that call and response stay together', () => {
    const inserted = insertDynamicInstruction([user('1'), model('2'), response, user('3')], [user('!')]);

    expect(transcript(inserted)).toEqual(['user: 1', 'model: 2', 'user: !a=1', 'user: !', 'user: 3']);
  });

  it('changes nothing without an instruction', () => {
    expect(insertDynamicInstruction([user('1')], [])).toEqual([user('1')]);
  });
});
