/// <reference types="jest" />
import { type Content, type Part } from '@skein/contracts';
import { model, type Trial, user } from './trial';

const call = (id: string, name: string): Part => ({ functionCall: { id, name, args: { q: id } } });
const response = (id: string, name: string): Part => ({
  functionResponse: { id, name, response: { result: id } },
});

/** Histories as cancelled runs, imports and callbacks leave them. Each is sent so that the provider takes it. */
const HISTORIES: Readonly<Record<string, Content[]>> = {
  'of turns that say nothing': [
    user('hi'),
    model(''),
    { role: 'user', parts: [] },
    { role: 'model' },
    user(''),
  ],
  'of empty texts beside others': [user('hi', ''), model('', 'Well.'), user('', 'And?')],
  'in which a call has no response': [user('hi'), model(call('c1', 'f')), user('And?')],
  'in which the last call has no response': [user('hi'), model(call('c1', 'f'), call('c2', 'g'))],
  'in which one of two calls has no response': [
    user('hi'),
    model(call('c1', 'f'), call('c2', 'g')),
    user(response('c2', 'g')),
    user('And?'),
  ],
  'in which a response has no call': [user('hi'), user(response('c1', 'f')), model('Well.'), user('And?')],
  'in which a response comes late': [
    user('hi'),
    model(call('c1', 'f')),
    user('And?'),
    model('Wait.'),
    user(response('c1', 'f')),
  ],
  'in which a call is answered twice': [
    user('hi'),
    model(call('c1', 'f')),
    user(response('c1', 'f'), response('c1', 'f')),
  ],
  'in which responses come one by one, with words between them': [
    user('hi'),
    model(call('c1', 'f'), call('c2', 'g')),
    user(response('c2', 'g'), 'Well?'),
    user(response('c1', 'f')),
  ],
  'in which a call stands behind words of the model': [
    user('hi'),
    model('Wait.'),
    model(call('c1', 'f')),
    user(response('c1', 'f')),
  ],
  'that a call begins': [model(call('c1', 'f')), user(response('c1', 'f'))],
  'in which the user calls and the model responds': [user('hi', call('c1', 'f')), model(response('c1', 'f'))],
  'of calls without ids': [
    user('hi'),
    model({ functionCall: { name: 'f' } }, { functionCall: { name: 'f' } }),
    user({ functionResponse: { name: 'f' } }, { functionResponse: { name: 'f', response: { result: 2 } } }),
  ],
};

/** A session stays usable, whatever is in its history. */
export function tornHistoryCases(trial: Trial): void {
  it.each(Object.entries(HISTORIES))('%s is taken', async (_what, contents) => {
    const before = structuredClone(contents);
    const { turns } = await trial.heard({ contents });

    expect(turns.at(-1)?.role).toBe('user');
    expect(contents).toEqual(before);
  });

  it('answers each call with its own response', async () => {
    const { turns } = await trial.heard({
      contents: [
        user('hi'),
        model(call('c1', 'f'), call('c2', 'g')),
        user(response('c2', 'g'), 'Well?'),
        user(response('c1', 'f')),
      ],
    });

    const parts = turns[2]?.parts ?? [];
    expect(parts.slice(0, 2)).toMatchObject([
      { response: { id: 'c1', response: { result: 'c1' } } },
      { response: { id: 'c2', response: { result: 'c2' } } },
    ]);
    expect(parts.slice(2)).toEqual([{ text: 'Well?' }]);
  });
}
