import { concealFor } from './conceal';

describe('what is taken out of the texts of spans', () => {
  it.each([
    ['a password in a URL', 'lost postgres://ann:hunter2@db/x', 'lost postgres://***@db/x'],
    [
      'a query, whatever is in it',
      'GET http://s3:9000/b/k?X-Amz-Signature=0af1&x=1 failed',
      'GET http://s3:9000/b/k?*** failed',
    ],
    ['credentials of a header', 'sent Bearer eyJhbGciOi.J9', 'sent Bearer [redacted]'],
  ])('is %s', (_what, text, shown) => {
    expect(concealFor({})(text)).toBe(shown);
  });

  it('is every secret the process was started with, and the passwords of its URLs', () => {
    const conceal = concealFor({
      GOOGLE_API_KEY: 'AIza-planted-key',
      SKEIN_SECRET: 'of-the-tickets',
      DATABASE_URL: 'postgres://u:p%40ss-word-1@h/d',
      S3_ACCESS_KEY: 'short',
      HOME: '/home/ann',
    });

    expect(conceal('AIza-planted-key of-the-tickets p%40ss-word-1 p@ss-word-1 short /home/ann')).toBe(
      '[redacted] [redacted] [redacted] [redacted] short /home/ann',
    );
  });

  it('leaves other text as it is', () => {
    const text = 'What is the weather in Paris? See https://example.org/a.';

    expect(concealFor({})(text)).toBe(text);
  });
});
