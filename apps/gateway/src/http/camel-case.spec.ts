import { camelCaseRequest } from './camel-case';

describe('a request of a client that writes snake_case', () => {
  it('is the one that was sent where nothing of it is to be renamed or left out', () => {
    const body = {
      appName: 'a',
      newMessage: { parts: [{ text: 't' }, { functionCall: { args: { my_key: null } } }] },
    };

    expect(camelCaseRequest(body)).toBe(body);
  });

  it('has the fields of ADK renamed at each level, and no nulls', () => {
    const part = { inline_data: { mime_type: 'text/plain', data: null } };

    expect(camelCaseRequest({ app_name: 'a', state_delta: null, new_message: { parts: [part] } })).toEqual({
      appName: 'a',
      newMessage: { parts: [{ inlineData: { mimeType: 'text/plain' } }] },
    });
    expect(camelCaseRequest({ newMessage: { parts: [{ text: 't' }, part] } })).toEqual({
      newMessage: { parts: [{ text: 't' }, { inlineData: { mimeType: 'text/plain' } }] },
    });
  });
});
