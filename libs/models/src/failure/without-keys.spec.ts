import { withoutKeys } from './without-keys';

const KEY = 'k"1/ü+2';

describe('withoutKeys', () => {
  it.each([
    ['as it is', `The key ${KEY} is wrong.`],
    ['in an address', `at https://host/v1?alt=sse&k=${encodeURIComponent(KEY)}`],
    ['in JSON', JSON.stringify({ error: KEY })],
  ])('hides a key it knows, %s', (_how, text) => {
    const told = withoutKeys(text, ['', KEY]);

    expect(told).toContain('[key]');
    for (const part of ['1/', '%2B', 'ü']) expect(told).not.toContain(part);
  });

  it('hides all of a key that begins as another one does', () => {
    expect(withoutKeys('abcdef abcdefghi', ['abcdef', 'abcdefghi'])).toBe('[key] [key]');
  });

  it.each([
    'Authorization: Bearer secret-1',
    'authorization=Basic secret-1',
    'Authorization: secret-1',
    '{"Authorization":"Bearer secret-1"}',
    '{"x-api-key": "secret-1"}',
    String.raw`{\"x-api-key\":\"secret-1\"}`,
    "headers: { 'x-goog-api-key': 'secret-1' }",
    'api-key: secret-1',
    'POST https://host/v1?key=secret-1&alt=sse',
    'https://user:secret-1@host',
    'Incorrect key sk-secret-1-0123456789abcdef.',
    'Incorrect key AIzaSecret-1secret-1secret-1secret-1secret-1.',
    'token ya29.secret-1.more',
  ])('hides a key that it does not know where it shows what it is: %s', (text) => {
    const told = withoutKeys(text, []);

    expect(told).not.toMatch(/secret-1/i);
    expect(told).toContain('[key]');
  });

  it.each([
    [
      'it was sent as "Bearer eyJhbGci.eyJzdWIi.c2ln", which is wrong',
      'it was sent as "Bearer [key]", which is wrong',
    ],
    ['of Bearer planted_by_us.', 'of Bearer [key]'],
    ['Basic dXNlcjpzZWNyZXQ= is wrong', 'Basic [key] is wrong'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [key]'],
  ])('hides what follows a scheme: %s', (text, told) => {
    expect(withoutKeys(text, [])).toBe(told);
  });

  it('passes over keys that are as short as words', () => {
    expect(withoutKeys('The model "o" is not found, empty or not', ['o', 'empty', 'not'])).toBe(
      'The model "o" is not found, empty or not',
    );
  });

  it.each([
    'Missing bearer or basic authentication in header',
    'Give basic information. Then basic well-known names, basic Node.js and basic step-by-step rules.',
    'No Bearer authentication.',
    'invalid x-api-key',
    'API key not valid. Please pass a valid API key.',
    'The Authorization header is missing.',
    'Ask for "task-force-of-the-whole-company".',
  ])('leaves words that tell none: %s', (text) => {
    expect(withoutKeys(text, [])).toBe(text);
  });
});
